"""A sentence model in a folder of this machine: `model.onnx` and `tokenizer.json`, run by ONNX Runtime on the CPU.

Nothing is ever downloaded. The libraries and the model are loaded at the first text, or by `make_ready`.
"""

import hashlib
import importlib
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from workspace_memory.domain.embedding import (
    EmbedderUnusable,
    EmbeddingFailed,
    LibraryUnusable,
    Vector,
    as_unicode,
)
from workspace_memory.semantic.libraries import require_importable, require_installed

MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"
# What sentence models of this size were trained for; a longer text is judged by its beginning.
TOKENS_MAX = 256
LIBRARIES = ("numpy", "onnxruntime", "tokenizers")
# How a text becomes a vector here. Another way is another space, although the model is the same.
_WAY = b"mean-256-1"
_SENTENCE_OUTPUT = "sentence_embedding"


class _Encoding(Protocol):
    @property
    def ids(self) -> list[int]: ...


class _Tokenizer(Protocol):
    def encode(self, sequence: str) -> _Encoding: ...
    def no_padding(self) -> None: ...
    def enable_truncation(self, max_length: int) -> None: ...


class _Named(Protocol):
    @property
    def name(self) -> str: ...


class _Session(Protocol):
    def get_inputs(self) -> Sequence[_Named]: ...
    def get_outputs(self) -> Sequence[_Named]: ...
    def run(self, output_names: Sequence[str], input_feed: Mapping[str, Any]) -> list[Any]: ...


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: _Session
    tokenizer: _Tokenizer
    inputs: frozenset[str]
    output: str
    space: str


class FolderModel:
    """The model of one folder. Texts go through it one by one: a batch would change an int8 model's numbers."""

    def __init__(self, folder: Path) -> None:
        """Looks whether everything is there, and loads nothing. Raises: EmbedderUnusable."""
        require_installed(LIBRARIES)
        for name in (MODEL_FILE, TOKENIZER_FILE):
            if not (folder / name).is_file():
                raise EmbedderUnusable(
                    f"there is no file {name} in {folder}; put a sentence model in ONNX format there with its "
                    "tokenizer (docs/howto/search-by-meaning.md), since nothing is downloaded"
                )
        self._folder = folder
        self._guard = threading.Lock()
        self._loaded: _Loaded | None = None

    @property
    def name(self) -> str:
        """The folder."""
        return str(self._folder)

    def space(self) -> str:
        """See `Embedder`."""
        return self._model().space

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """See `Embedder`."""
        model = self._model()
        try:
            return [_vector(model, as_unicode(text)) for text in texts]
        except Exception as error:  # the libraries name no common class; the text of theirs may quote ours
            # The model itself has embedded a word before.
            raise EmbeddingFailed(type(error).__name__, of_text=True) from None

    def embed_query(self, text: str) -> Vector:
        """See `Embedder`."""
        return self.embed([text])[0]

    def make_ready(self) -> None:
        """Load the model and let it embed a word. Raises: EmbedderUnusable."""
        with self._guard:
            if self._loaded is None:
                require_importable(LIBRARIES)
                self._loaded = _load(self._folder)

    def close(self) -> None:
        """Nothing to do: the model goes with the process."""

    def _model(self) -> _Loaded:
        if self._loaded is None:
            try:
                self.make_ready()
            except LibraryUnusable:
                raise EmbeddingFailed("library_unusable") from None
            except EmbedderUnusable:
                raise EmbeddingFailed("model_unusable") from None
        assert self._loaded is not None  # noqa: S101  `make_ready` has either set it or raised
        return self._loaded


def _load(folder: Path) -> _Loaded:
    try:
        runtime, tokenizers = map(importlib.import_module, ("onnxruntime", "tokenizers"))
        options = cast("Callable[[], Any]", runtime.SessionOptions)()
        # One core: a search must not take the machine from others, and the work in the background still less.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        session: _Session = runtime.InferenceSession(
            str(folder / MODEL_FILE), options, providers=["CPUExecutionProvider"]
        )
        tokenizer: _Tokenizer = tokenizers.Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        tokenizer.no_padding()
        tokenizer.enable_truncation(TOKENS_MAX)
        outputs = [output.name for output in session.get_outputs()]
        output = _SENTENCE_OUTPUT if _SENTENCE_OUTPUT in outputs else outputs[0]
        inputs = frozenset(each.name for each in session.get_inputs())
        loaded = _Loaded(session, tokenizer, inputs, output, space="")
        dimensions = len(_vector(loaded, "memory"))
    except Exception as error:
        raise EmbedderUnusable(
            f"the model in {folder} cannot be used ({type(error).__name__}); it has to be a sentence model in ONNX "
            "format that takes input_ids and attention_mask, with the tokenizer.json of the same model"
        ) from None
    return _Loaded(session, tokenizer, inputs, output, f"{_fingerprint(folder)}-{dimensions}")


def _vector(model: _Loaded, text: str) -> Vector:
    import numpy  # noqa: PLC0415  with the other libraries, only where the signal is on

    ids = numpy.array([model.tokenizer.encode(text).ids], numpy.int64)
    mask = numpy.ones_like(ids)
    given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
    feed = {name: value for name, value in given.items() if name in model.inputs}
    [answer] = model.session.run([model.output], feed)
    # A text of its own has no padding, so the mean over its tokens needs no mask.
    vector = numpy.asarray(answer, numpy.float32)[0]
    if vector.ndim == 2:
        vector = vector.mean(axis=0)
    if vector.ndim != 1 or not numpy.isfinite(vector).all() or not vector.any():
        raise ValueError("no vector")
    return cast("list[float]", vector.tolist())


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256(_WAY)
    # Large models keep their weights in files beside it, such as model.onnx_data.
    for path in sorted([*folder.glob(f"{MODEL_FILE}*"), folder / TOKENIZER_FILE]):
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:32]
