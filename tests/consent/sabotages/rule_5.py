"""A press only: the oracle without one clause of rule 5."""

from __future__ import annotations

from tests.consent.facts import Asked
from tests.consent.oracle import Oracle
from tests.consent.transcript import Effect, Field, Source


class WeightForgotten(Oracle):
    """5: rights and roles, targets, procedures, deletions"""

    def rule_5_matters(self, asked: Asked) -> bool:
        return False


class DeletionsByWord(Oracle):
    """5: deletions"""

    light: Effect = Effect.DELETION

    def rule_5_matters(self, asked: Asked) -> bool:
        light = any(proposal.effect is self.light for proposal in asked.proposals)
        return not light and super().rule_5_matters(asked)


class RightsByWord(DeletionsByWord):
    """5: rights and roles"""

    light = Effect.RIGHTS


class TargetsByWord(DeletionsByWord):
    """5: targets"""

    light = Effect.TARGETS


class ProceduresByWord(DeletionsByWord):
    """5: procedures"""

    light = Effect.PROCEDURE


class BasesForgotten(Oracle):
    """5: text that neither the requester typed nor an approved procedure holds"""

    def rule_5_own(self, field: Field) -> bool:
        return True


class FilesAreOwnText(Oracle):
    """5: a file"""

    own: Source = Source.FILE

    def rule_5_own(self, field: Field) -> bool:
        return field.source is self.own or super().rule_5_own(field)


class ForwardsAreOwnText(FilesAreOwnText):
    """5: a forward"""

    own = Source.FORWARD


class QuotesAreOwnText(FilesAreOwnText):
    """5: a quote"""

    own = Source.QUOTE


class CodeIsOwnText(FilesAreOwnText):
    """5: a code block"""

    own = Source.CODE_BLOCK


class OthersMessagesAreOwnText(FilesAreOwnText):
    """5: others' messages"""

    own = Source.OTHERS_MESSAGE


class TaskBodiesAreOwnText(FilesAreOwnText):
    """5: task bodies"""

    own = Source.TASK_BODY


class TaskCommentsAreOwnText(FilesAreOwnText):
    """5: comments"""

    own = Source.TASK_COMMENT


class TheWebIsOwnText(FilesAreOwnText):
    """5: the web"""

    own = Source.WEB


class WordingIsOwnText(FilesAreOwnText):
    """5: the assistant's wording"""

    own = Source.ASSISTANT


class LongMessagesAreOwnText(Oracle):
    """5: a message over 600 characters"""

    def rule_5_own(self, field: Field) -> bool:
        typed = field.source is Source.TYPED and self.rule_7_quoted(field)
        return typed or super().rule_5_own(field)


class ProceduresAreNotOwnText(Oracle):
    """5: nor an approved procedure holds"""

    def rule_5_own(self, field: Field) -> bool:
        return field.source is not Source.APPROVED_PROCEDURE and super().rule_5_own(field)


class NamesOfRecordsCount(Oracle):
    """5: names of records chosen by id do not count"""

    def rule_5_own(self, field: Field) -> bool:
        return field.source is not Source.RECORD and super().rule_5_own(field)


class AdminsForgotten(Oracle):
    """5: admins can set press-only"""

    def rule_5_admins(self, asked: Asked) -> bool:
        return False


class AdminsClientsForgotten(Oracle):
    """5: for a client"""

    def rule_5_admins(self, asked: Asked) -> bool:
        channel = self.channels[asked.card.channel]
        return self.transcript.press_only_everything or channel.press_only


class AdminsChannelsForgotten(Oracle):
    """5: a channel"""

    def rule_5_admins(self, asked: Asked) -> bool:
        clients = {proposal.work.client for proposal in asked.proposals}
        everything = self.transcript.press_only_everything
        return everything or bool(clients & self.transcript.press_only_clients)


class AdminsEverythingForgotten(Oracle):
    """5: or everything"""

    def rule_5_admins(self, asked: Asked) -> bool:
        return not self.transcript.press_only_everything and super().rule_5_admins(asked)


class AdminsClientsMeanAll(Oracle):
    """5: for that client alone"""

    def rule_5_admins(self, asked: Asked) -> bool:
        return bool(self.transcript.press_only_clients) or super().rule_5_admins(asked)
