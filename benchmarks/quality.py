"""How well memory_search finds the texts that answer a question, measured over the product's own interfaces.

    benchmarks/quality.py FILE [--json] [--database-url URL] [--semantic FOLDER]

FILE holds conversations ({"conversations": [{"name", "items": [{"key", "text"}], "questions": [{"text",
"category", "gold"}]}]}) or languages ({"sets": [{"language", "items", "queries": [{"text", "kind", "gold"}]}]}).
A server of its own is started in a temporary folder. Each conversation or language gets a workspace, where every
text is added as an active company item by REST, and each question is asked over MCP with the official client.
With --semantic the model in that folder counts as well, and questions are asked once every text has its vector.
Reported are recall@1, @5, @10, @20, MRR and nDCG@10 of the gold texts, for questions of every category but 5.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import httpx2
from mcp import MCPError

from _arguments import add_database, report_parser
from _cases import BadCases, Cases, CaseSet, read_cases
from _curator import CuratorRefused, add_company_items
from _mapping import Answers, parts_of
from _official_client import ToolFailed, asker
from _progress import say
from _quality_report import DEPTH, SetResult, as_json, as_text, score
from _semantic import ModelUnusable, Signal, require_model
from _servers import ServerFailed, end_on_signals, product
from _tenants import DatabaseInUse, Tenant, make_tenants
from workspace_memory.domain.errors import DomainError
from workspace_memory.domain.item import CONTENT_CHARACTERS_MAX

EXPECTED = (
    BadCases,
    ModelUnusable,
    ServerFailed,
    DatabaseInUse,
    CuratorRefused,
    ToolFailed,
    DomainError,
    MCPError,
    httpx2.HTTPError,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the answer is the exit code."""
    options = _parser().parse_args(arguments)
    end_on_signals()
    try:
        cases = read_cases(options.file)
        if options.semantic is not None:
            require_model(options.semantic)
        results = measure(cases, database_url=options.database_url, model=options.semantic)
    except EXPECTED as error:
        print(f"quality: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    if options.json:
        print(json.dumps(as_json(cases.shape, results, left_out=cases.left_out), ensure_ascii=False))
    else:
        print(as_text(cases.shape, results, left_out=cases.left_out))
    return 0


def measure(cases: Cases, *, database_url: str = "", model: Path | None = None) -> list[SetResult]:
    """Start a server, save every text, ask every question.

    Raises: ServerFailed, DatabaseInUse, CuratorRefused, ToolFailed, DomainError.
    """
    with tempfile.TemporaryDirectory(prefix="wm-quality-") as temporary:
        folder = Path(temporary) / "data"
        tenants = make_tenants(folder, [one.name for one in cases.sets], database_url=database_url)
        signal = Signal(model, folder, database_url)
        with product(folder, database_url=database_url, more=signal.settings) as server:
            return [_of_set(server.url, *pair, signal) for pair in zip(tenants, cases.sets, strict=True)]


def _of_set(url: str, tenant: Tenant, case_set: CaseSet, signal: Signal) -> SetResult:
    answers = _save(url, tenant, case_set)
    signal.wait()
    say(f"{case_set.name}: {len(case_set.texts):,} texts saved, asking {len(case_set.questions):,} questions")
    rankings = asyncio.run(_ask(tenant.mcp_url(url), tenant.curator_token, case_set))
    scores = [
        score(answers.ranking(found), answers.gold(question.gold))
        for found, question in zip(rankings, case_set.questions, strict=True)
    ]
    return SetResult(case_set.name, [question.label for question in case_set.questions], scores)


def _save(url: str, tenant: Tenant, case_set: CaseSet) -> Answers:
    parts = [
        (key, part) for key, text in case_set.texts.items() for part in parts_of(text, CONTENT_CHARACTERS_MAX)
    ]
    ids = add_company_items(url, tenant, [part for _, part in parts])
    items: dict[str, list[str]] = {}
    for (key, _), item in zip(parts, ids, strict=True):
        items.setdefault(key, []).append(item)
    answers = Answers()
    for key, own in items.items():
        answers.note(key, own)
    return answers


async def _ask(mcp_url: str, token: str, case_set: CaseSet) -> list[list[str]]:
    async with asker(mcp_url, token) as client:
        return [await client.search(question.text, wanted=DEPTH) for question in case_set.questions]


def _parser() -> argparse.ArgumentParser:
    parser = report_parser("quality", __doc__)
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="the cases; read where they lie, never copied"
    )
    add_database(parser)
    parser.add_argument(
        "--semantic",
        type=Path,
        metavar="FOLDER",
        help="search by meaning as well, with the model in this folder",
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
