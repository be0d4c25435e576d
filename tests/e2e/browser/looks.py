"""How a page looks to everybody: nothing for axe to find, in light and dark, and no width at which it overflows."""

from tests.e2e.browser.visits import WIDTHS, Visit

LOW = 844


def assert_looks_right(visit: Visit, *, widths: tuple[int, ...] = WIDTHS) -> None:
    """The page as it stands, in both schemes and at each width; its size is put back."""
    size = visit.page.viewport_size
    for scheme in ("light", "dark"):
        visit.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert visit.axe() == [], scheme
    for width in widths:
        visit.page.set_viewport_size({"width": width, "height": LOW})
        assert visit.overflow() <= 0, width
    if size is not None:
        visit.page.set_viewport_size(size)
