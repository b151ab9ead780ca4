"""The tools the model may call: one file per subject, one function per tool.

Every module here is imported, so that each tool declares itself.
"""

from importlib import import_module
from pkgutil import iter_modules

from agencyclaw.tools.catalogue import TOOLS, ToolSpec, built_skills
from agencyclaw.tools.gate import Gate, build_reading_toolset, build_toolset
from agencyclaw.tools.results import Ask, Proposed, Refusal, Result

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = [
    "TOOLS",
    "Ask",
    "Gate",
    "Proposed",
    "Refusal",
    "Result",
    "ToolSpec",
    "build_reading_toolset",
    "build_toolset",
    "built_skills",
]
