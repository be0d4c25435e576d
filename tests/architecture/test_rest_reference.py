"""The routes, the errors and their pages agree: what is missing from a page fails here."""

import importlib
import pkgutil
import re
from pathlib import Path

from tests.architecture.rest_tables import PAGE, page, the_document

import workspace_memory
from workspace_memory.api.error_docs import EXAMPLES
from workspace_memory.api.errors import RequestRefused, row_of
from workspace_memory.api.openapi import operations
from workspace_memory.domain.errors import DomainError
from workspace_memory.error_table import ROWS

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
_CODE = re.compile(r"^\| `([a-z_]+|MEMORY_[A-Z_]+)` \|", re.MULTILINE)


def all_errors() -> set[type[DomainError]]:
    """Every error class of the package; they stand in modules called `…errors`."""
    for module in pkgutil.walk_packages(workspace_memory.__path__, "workspace_memory."):
        if module.name.endswith("errors"):
            importlib.import_module(module.name)
    found: set[type[DomainError]] = set()
    waiting = [DomainError]
    while waiting:
        subclasses = waiting.pop().__subclasses__()
        waiting += subclasses
        found |= {each for each in subclasses if each.__module__.startswith("workspace_memory.")}
    return found


def test_the_page_of_routes_lists_the_routes_that_there_are() -> None:
    text = PAGE.read_text()
    assert page(text) == text, "make it anew: python -m tests.architecture.rest_tables"


def test_the_page_of_errors_lists_the_errors_that_there_are() -> None:
    listed = set(_CODE.findall((REFERENCE / "errors.md").read_text()))
    codes = {each.code for each in all_errors()} - {RequestRefused.code}
    assert listed - codes == {"unreadable_answer"}
    assert codes - listed == set()


def test_every_domain_error_has_a_row_or_inherits_one() -> None:
    without = [
        each.__name__
        for each in all_errors()
        if each.__module__.startswith("workspace_memory.domain.")
        and not any(kind in ROWS for kind in each.__mro__)
    ]
    assert without == []


def test_codes_are_of_one_class_each() -> None:
    codes = [each.code for each in all_errors() if "code" in vars(each)]
    assert sorted(codes) == sorted(set(codes))


def test_the_page_of_errors_names_the_status_of_each() -> None:
    lines = (REFERENCE / "errors.md").read_text().splitlines()
    for example in EXAMPLES:
        [line] = [each for each in lines if each.startswith(f"| `{example.code}` |")]
        assert f"| {row_of(example).status} |" in line


def test_every_operation_says_what_it_is_and_what_can_go_wrong() -> None:
    for _, operation in operations(the_document()):
        name = operation["operationId"]
        assert operation["summary"], name
        assert operation["description"], name
        assert {"400", "500", "503"} <= operation["responses"].keys(), name
        assert "HTTPValidationError" not in str(operation), name
        if operation.get("security") != []:
            assert {"401", "403"} <= operation["responses"].keys(), name


def test_every_body_has_an_example() -> None:
    document = the_document()
    for method, operation in operations(document):
        bodies = [operation["requestBody"]] if "requestBody" in operation else []
        bodies += [found for status, found in operation["responses"].items() if status < "300"]
        for body in bodies:
            for content in body.get("content", {}).values():
                if "example" in content:  # a file has no shape to give one
                    continue
                name = content["schema"]["$ref"].rpartition("/")[2]
                assert document["components"]["schemas"][name]["examples"], (method, name)


def test_every_reference_within_the_document_leads_somewhere() -> None:
    document = the_document()
    for reference in set(re.findall(r"'\$ref': '#/components/(\w+)/(\w+)'", str(document))):
        kind, name = reference
        assert name in document["components"][kind], reference
