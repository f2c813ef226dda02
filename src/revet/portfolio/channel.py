"""Messages between the parent and a worker: pickles with a length in front, over two pipes.

The parent must never wait for a child: a child may be stopped, slow or dead in the middle of a
message. So the parent's side reads what has arrived and keeps incomplete messages, and what it
sends is queued where the pipe is full. The child's side waits when it sends.
"""

from __future__ import annotations

import os
import pickle
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_HEADER = 4
_CHUNK = 1 << 16
_LARGEST_QUEUE = 1 << 22  # bytes; more than that is not read by anybody


class Gone(Exception):
    """Nobody is at the other end any more: the parent has died, and the child should."""


class Channel:
    """One side of a connection. ``closed`` says that nobody is at the other end any more."""

    def __init__(self, reading: int, writing: int) -> None:
        self.reading = reading
        self._writing = writing
        self._received = bytearray()
        self._queue = bytearray()
        self._lock = threading.Lock()
        self.closed = False
        os.set_blocking(reading, False)

    def send(self, message: Any) -> None:
        """The child's way: waits until all is written; raises :class:`Gone` if nobody reads."""
        data = _framed(message)
        with self._lock:  # statistics are sent by a thread of their own
            view = memoryview(data)
            try:
                while view:
                    view = view[os.write(self._writing, view) :]
            except OSError as error:
                raise Gone from error

    def post(self, message: Any) -> bool:
        """The parent's way: never waits; False if the queue is full, then nothing is sent."""
        if len(self._queue) > _LARGEST_QUEUE or self.closed:
            return False
        self._queue += _framed(message)
        self.flush()
        return True

    def flush(self) -> None:
        """Write as much of the queue as fits."""
        if self.closed or not self._queue:
            return
        os.set_blocking(self._writing, False)
        try:
            while self._queue:
                written = os.write(self._writing, self._queue[:_CHUNK])
                del self._queue[:written]
        except BlockingIOError:
            return
        except OSError:
            self._queue.clear()  # the reader died; its end of the other pipe says so

    def receive(self) -> list[Any]:
        """All complete messages that have arrived; sets ``closed`` at the end of the stream."""
        while not self.closed:
            try:
                data = os.read(self.reading, _CHUNK)
            except BlockingIOError:
                break
            if not data:
                self.closed = True
            self._received += data
        messages = []
        start, end = 0, len(self._received)
        while end - start >= _HEADER:
            size = int.from_bytes(self._received[start : start + _HEADER], "little")
            if end - start - _HEADER < size:
                break
            start += _HEADER + size
            messages.append(pickle.loads(self._received[start - size : start]))
        del self._received[:start]
        return messages

    def close(self) -> None:
        self.closed = True
        for number in (self.reading, self._writing):
            os.close(number)


def pair() -> tuple[Channel, Channel]:
    """Two sides of a new connection."""
    first_reads, second_writes = os.pipe()
    second_reads, first_writes = os.pipe()
    return Channel(first_reads, first_writes), Channel(second_reads, second_writes)


def _framed(message: Any) -> bytes:
    data = pickle.dumps(message, protocol=5)
    return len(data).to_bytes(_HEADER, "little") + data
