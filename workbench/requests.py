"""What the stand-in Slack and the stand-in ClickUp both do with an HTTP request."""

import socket
import struct

from aiohttp import web


def origin_of(request: web.Request) -> str:
    """Return the address under which the caller reached this server."""
    return f"{request.scheme}://{request.host}"


def reset_connection(request: web.Request) -> None:
    """Cut the connection so that the client sees a reset and no byte of an answer."""
    if request.transport is None:
        return
    linger = struct.pack("ii", 1, 0)
    connection = request.transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    request.transport.abort()
