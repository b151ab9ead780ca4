"""Serves the browser pages: documents, modules, styles and icons from this package."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from aiohttp import ETag, web

FOLDER = Path(__file__).with_name("page")
DOCUMENTS = {"/": "index.html", "/runs": "runs.html"}
TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
# Messages and task texts are untrusted: even a mistake in rendering them must not run.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
REVALIDATE = "no-cache"
IMMUTABLE = "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class Asset:
    """One file of the page, ready to send."""

    body: bytes
    content_type: str

    @property
    def etag(self) -> str:
        return hashlib.sha256(self.body).hexdigest()[:32]


class PageFiles:
    """Every file of the page in memory, under a version that changes with any of them."""

    def __init__(self, folder: Path) -> None:
        paths = (path for path in sorted(folder.rglob("*")) if path.suffix in TYPES)
        files = {path.relative_to(folder).as_posix(): path for path in paths}
        self._assets = {
            name: Asset(path.read_bytes(), TYPES[path.suffix]) for name, path in files.items()
        }
        etags = "".join(asset.etag for asset in self._assets.values())
        self.version = hashlib.sha256(etags.encode()).hexdigest()[:12]
        self._documents = {
            path: self._document(self._assets.pop(name)) for path, name in DOCUMENTS.items()
        }

    def _document(self, asset: Asset) -> Asset:
        text = asset.body.decode().replace("{{modules}}", self._preloads())
        return Asset(text.replace("{{version}}", self.version).encode(), asset.content_type)

    def _preloads(self) -> str:
        """Return preload links, so that the browser requests all modules at once."""
        names = (name for name in self._assets if name.endswith(".js"))
        links = (
            f'<link rel="modulepreload" href="/assets/{{{{version}}}}/{name}">' for name in names
        )
        return "\n  ".join(links)

    async def serve_document(self, request: web.Request) -> web.Response:
        return _answer(request, self._documents[request.path], REVALIDATE)

    async def serve_asset(self, request: web.Request) -> web.Response:
        asset = self._assets.get(request.match_info["name"])
        if asset is None:
            raise web.HTTPNotFound(headers=HEADERS)
        current = request.match_info.get("version") == self.version
        return _answer(request, asset, IMMUTABLE if current else REVALIDATE)


def _answer(request: web.Request, asset: Asset, cache_control: str) -> web.Response:
    known = ETag(asset.etag) in (request.if_none_match or ())
    response = (
        web.Response(status=304)
        if known
        else web.Response(body=asset.body, content_type=asset.content_type, charset="utf-8")
    )
    response.headers.update(HEADERS)
    response.headers["Cache-Control"] = cache_control
    response.etag = asset.etag
    return response


def add_page_routes(app: web.Application) -> None:
    """Mount the pages at `/` and `/runs` and their files under `/assets/`."""
    files = PageFiles(FOLDER)
    for path in DOCUMENTS:
        app.router.add_get(path, files.serve_document)
    # The version is part of the path, so that relative module imports carry it along.
    app.router.add_get("/assets/{name}", files.serve_asset)
    app.router.add_get("/assets/{version}/{name:.+}", files.serve_asset)
