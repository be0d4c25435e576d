"""The shapes of credentials that their makers gave a mark of their own.

Pure. Each shape has an anchor, a piece of text without which it cannot occur: looking for the anchors first keeps a
check far below a millisecond. The shapes follow the makers' public descriptions of their tokens. A credential
without a mark is found by what stands next to it (`secret_pairs.py`) or by how random it is (`secret_values.py`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workspace_memory.domain.secret_values import is_sample, is_varied
from workspace_memory.domain.unveiling import long_words

# rule, anchors (divided by blanks), what follows the anchor.
_PREFIXED: tuple[tuple[str, str, str], ...] = (
    # Clouds
    ("aws_access_key", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}"),
    ("aws_bedrock_key", "ABSK", r"[A-Za-z0-9+/]{60,}"),
    ("aws_signature", "X-Amz-Signature=", r"[a-f0-9]{64}"),
    ("azure_key", "AccountKey= SharedAccessKey=", r"[A-Za-z0-9+/]{36,}"),
    ("azure_signature", "&sig= ?sig=", r"[A-Za-z0-9%+/]{30,}"),
    ("google_api_key", "AIza", r"[A-Za-z0-9_-]{33,36}"),
    ("google_oauth_secret", "GOCSPX-", r"[A-Za-z0-9_-]{18,}"),
    ("google_oauth_token", "ya29.", r"[A-Za-z0-9_-]{18,}"),
    ("google_refresh_token", "1//0", r"[A-Za-z0-9_-]{30,}"),
    ("google_hmac_key", "GOOG1 GOOG", r"[A-Z0-9]{20,60}"),
    ("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", r"[a-f0-9]{50,}"),
    ("alibaba_key", "LTAI", r"[A-Za-z0-9]{12,24}"),
    ("tencent_key", "AKID", r"[A-Za-z0-9]{32}"),
    ("scaleway_key", "SCW", r"[A-Z0-9]{17}"),
    ("cloudflare_token", "cfut_ cfat_ cfk_", r"[A-Za-z0-9_-]{36,}"),
    ("cloudflare_ca_key", "v1.0-", r"[a-f0-9]{24}-[a-f0-9]{100,}"),
    ("heroku_key", "HRKU-", r"[A-Za-z0-9_-]{36,}"),
    ("fly_token", "fm1r_ fm1a_ fm2_ fo1_", r"[A-Za-z0-9+/_-]{40,}"),
    ("render_key", "rnd_", r"[A-Za-z0-9]{26,}"),
    ("vercel_token", "vcp_ vck_ vci_ vca_ vcr_", r"[A-Za-z0-9]{20,}"),
    ("vercel_token", "vercel_", r"(?:blob_rw_)?[A-Za-z0-9]{16,}(?:_[A-Za-z0-9]{16,})?"),
    ("netlify_token", "nfp_ nfc_ nfo_ nfu_ nfb_", r"[A-Za-z0-9]{30,}"),
    ("supabase_token", "sbp_", r"(?:oauth_|v0_)?[a-f0-9]{36,}"),
    ("supabase_key", "sb_secret_", r"[A-Za-z0-9_-]{20,}"),
    ("planetscale_token", "pscale_", r"(?:tkn|oauth|pw)_[A-Za-z0-9_.=-]{30,}"),
    ("neon_key", "napi_", r"[A-Za-z0-9]{40,}"),
    ("tailscale_key", "tskey-", r"[a-z]+-[A-Za-z0-9]{6,}(?:-[A-Za-z0-9]{10,})?"),
    # Code hosts and build services
    ("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{30,}"),
    ("github_token", "github_pat_", r"[A-Za-z0-9_]{40,}"),
    ("gitlab_token", "glpat- glrt- gldt- glsoat- glcbt- glptt- glft- glimt- glagent- gloas- glffct- glrtr-",
     r"[A-Za-z0-9_.-]{18,}"),
    ("gitlab_token", "GR1348941", r"[A-Za-z0-9_-]{18,}"),
    ("atlassian_token", "ATATT3 ATCTT3", r"[A-Za-z0-9_=-]{50,}"),
    ("bitbucket_token", "ATBB", r"[A-Za-z0-9]{28,40}"),
    ("npm_token", "npm_", r"[A-Za-z0-9]{30,}"),
    ("pypi_token", "pypi-", r"[A-Za-z0-9_-]{40,}"),
    ("rubygems_key", "rubygems_", r"[a-f0-9]{40,}"),
    ("crates_token", "cio", r"[A-Za-z0-9]{32}"),
    ("nuget_key", "oy2", r"[a-z0-9]{43}"),
    ("docker_token", "dckr_pat_ dckr_oat_", r"[A-Za-z0-9_-]{20,}"),
    ("artifactory_token", "AKCp", r"[A-Za-z0-9]{60,}"),
    ("artifactory_token", "cmVmdGtu", r"[A-Za-z0-9]{40,}"),
    ("sonar_token", "sqp_ squ_ sqa_", r"[a-f0-9]{40}"),
    ("snyk_token", "snyk_", r"[a-z]+\.[A-Za-z0-9_.-]{30,}"),
    ("buildkite_token", "bkua_ bkaj_ bkct_ bkpi_", r"[A-Za-z0-9]{30,}"),
    ("circleci_token", "CCIPAT_", r"[A-Za-z0-9_]{20,}"),
    ("pulumi_token", "pul-", r"[a-f0-9]{40}"),
    # Chat and mail
    ("slack_token", "xox", r"[abceoprsd](?:\.xox[bp])?-[A-Za-z0-9-]{16,}"),
    ("slack_token", "xapp-", r"\d-[A-Za-z0-9-]{16,}"),
    ("twilio_key", "SK", r"[a-f0-9]{32}"),
    ("sendgrid_key", "SG.", r"[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    ("mailgun_key", "key- pubkey-", r"[a-f0-9]{32}"),
    ("brevo_key", "xkeysib- xsmtpsib-", r"[a-f0-9]{40,}(?:-[A-Za-z0-9]{10,})?"),
    ("resend_key", "re_", r"[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,}"),
    # Payment and shops
    ("stripe_key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ sk_org_", r"[A-Za-z0-9]{10,}"),
    ("webhook_secret", "whsec_", r"[A-Za-z0-9+/_-]{20,}"),
    ("shopify_token", "shpat_ shpca_ shppa_ shpss_ shpua_", r"[a-fA-F0-9]{30,}"),
    ("square_token", "sq0atp- sq0csp-", r"[A-Za-z0-9_-]{20,}"),
    ("square_token", "EAAA", r"[A-Za-z0-9_-]{56,64}"),
    ("paypal_token", "access_token$production$ access_token$sandbox$", r"[a-z0-9]{16}\$[a-f0-9]{32}"),
    ("razorpay_key", "rzp_live_ rzp_test_", r"[A-Za-z0-9]{14,}"),
    ("plaid_token", "access-sandbox- access-development- access-production-", r"[a-f0-9]{8}-[a-f0-9-]{27}"),
    # Models
    ("openai_key", "sk-proj- sk-svcacct- sk-admin- sk-None-", r"[A-Za-z0-9_-]{20,}"),
    ("anthropic_key", "sk-ant-", r"[A-Za-z0-9_-]{16,}"),
    ("openrouter_key", "sk-or-v1-", r"[a-f0-9]{32,}"),
    ("model_key", "sk-", r"(?:[a-z]{2,10}-){0,2}[A-Za-z0-9_]{20,}"),
    ("huggingface_token", "hf_ api_org_", r"[A-Za-z0-9]{30,}"),
    ("replicate_token", "r8_", r"[A-Za-z0-9]{30,}"),
    ("groq_key", "gsk_", r"[A-Za-z0-9]{30,}"),
    ("xai_key", "xai-", r"[A-Za-z0-9]{40,}"),
    ("perplexity_key", "pplx-", r"[A-Za-z0-9]{30,}"),
    ("fireworks_key", "fw_", r"[A-Za-z0-9]{20,}"),
    ("nvidia_key", "nvapi-", r"[A-Za-z0-9_-]{40,}"),
    ("tavily_key", "tvly-", r"(?:dev-|prod-)?[A-Za-z0-9_-]{20,}"),
    ("pinecone_key", "pcsk_", r"[A-Za-z0-9_]{40,}"),
    ("langsmith_key", "lsv2_pt_ lsv2_sk_", r"[a-f0-9]{32}_[a-f0-9]{10}"),
    ("cerebras_key", "csk-", r"[A-Za-z0-9]{30,}"),
    ("mem0_key", "m0-", r"[A-Za-z0-9]{32,}"),
    # Data, work and observation
    ("databricks_token", "dapi dose", r"[a-f0-9]{32,40}(?:-\d)?"),
    ("notion_token", "ntn_ secret_", r"[A-Za-z0-9]{36,}"),
    ("linear_key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{30,}"),
    ("figma_token", "figd_ figu_ figo_", r"[A-Za-z0-9_-]{30,}"),
    ("postman_key", "PMAK-", r"[a-f0-9]{24}-[a-f0-9]{34}"),
    ("grafana_token", "glc_", r"[A-Za-z0-9+/_-]{30,}"),
    ("grafana_token", "glsa_", r"[A-Za-z0-9]{30,}_[a-fA-F0-9]{8}"),
    ("new_relic_key", "NRAK- NRII- NRIQ- NRRA- NRJS- NRSP- NRBR-", r"[A-Za-z0-9_-]{17,}"),
    ("datadog_key", "ddapp_ ddpat_", r"[A-Za-z0-9_]{30,}"),
    ("dynatrace_token", "dt0c01. dt0s01. dt0s02.", r"[A-Z0-9]{24}\.[A-Z0-9]{60,}"),
    ("sentry_token", "sntrys_ sntryu_ sntrya_ sntryi_", r"[A-Za-z0-9+/=_-]{40,}"),
    ("honeycomb_key", "hcaik_ hcbik_ hcxik_ hcalk_", r"[A-Za-z0-9]{40,}"),
    ("elastic_key", "essu_", r"[A-Za-z0-9+/=_-]{40,}"),
    ("airtable_token", "pat", r"[A-Za-z0-9]{14}\.[a-f0-9]{60,}"),
    ("hubspot_token", "pat-na pat-eu pat-ap", r"\d-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"),
    ("contentful_token", "CFPAT-", r"[A-Za-z0-9_-]{30,}"),
    ("dropbox_token", "sl.", r"(?:u\.)?[A-Za-z0-9_-]{60,}"),
    ("facebook_token", "EAA", r"[A-Za-z0-9]{80,}"),
    ("mapbox_token", "sk.eyJ", r"[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{16,}"),
    ("launchdarkly_key", "api- sdk-", r"[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"),
    # Vaults and keys
    ("vault_token", "hvs. hvb. hvr.", r"[A-Za-z0-9_-]{20,}"),
    ("vault_token", "s.", r"[A-Za-z0-9]{24}"),
    ("doppler_token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{36,}"),
    ("onepassword_token", "ops_eyJ", r"[A-Za-z0-9+/_-]{40,}"),
    ("onepassword_key", "A3-", r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
    ("age_key", "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1", r"[A-Z0-9]{40,}"),
    ("jwt", "eyJ", r"[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.(?:[A-Za-z0-9_-]*\.){0,2}[A-Za-z0-9_-]{8,}"),
    ("jwt", "eyJ", r"[A-Za-z0-9_-]{15,}\.eyJ[A-Za-z0-9_-]{15,}"),
    ("password_hash", "$2a$ $2b$ $2y$", r"\d\d\$[./A-Za-z0-9]{53}"),
    ("password_hash", "$argon2id$ $argon2i$", r"\S{40,}"),
    ("password_hash", "$6$ $5$", r"(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}"),
    ("password_hash", "$y$", r"[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}"),
)  # fmt: skip

# A manual that names the frame, or shows it around a stand-in or a key cut short, gives nothing away.
_KEY_BODY = (
    r"(?=(?:\\[nrt]|(?:Proc-Type|DEK-Info|Comment|Version|Charset|Hash)[ ]?:[^\n\\]{0,80}|[^A-Za-z0-9+/\\]"
    r"|\\(?![nrt])){0,60}"
    r"(?![xX]{3}|your|[Ee]xample|EXAMPLE|[Rr]edacted|REDACTED)[A-Za-z0-9+/]{16}(?![A-Za-z0-9+/]{0,80}(?:\.{3}|…)))"
)

# Credentials with their mark in the middle: rule, anchor, what stands before it, what follows.
_MARKED: tuple[tuple[str, str, str, str], ...] = (
    ("telegram_token", ":A", r"(?<!\d)\d{8,10}", r"[A-Za-z0-9_-]{33,35}(?![A-Za-z0-9_-])"),
    ("azure_secret", "Q~", r"(?<![\w.~-])[\w.~-]{3}\d", r"[\w.~-]{30,36}"),
    ("mailchimp_key", "-us", r"(?<![A-Za-z0-9])[a-f0-9]{32}", r"\d{1,2}\b"),
    ("terraform_token", ".atlasv1.", r"(?<!\w)[A-Za-z0-9]{14}", r"[A-Za-z0-9_=-]{50,}"),
    ("azure_devops_token", "AZDO", r"(?<!\w)[A-Za-z0-9]{70,80}", r"[A-Za-z0-9]{4}\b"),
    ("slack_webhook", "hooks.slack.com/", "", r"(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}"),
    ("teams_webhook", ".webhook.office.com/", "", r"webhookb2/[A-Za-z0-9@-]{36,}/IncomingWebhook/[A-Za-z0-9/-]{32,}"),
    ("discord_webhook", "/api/webhooks/", "", r"\d{15,21}/[A-Za-z0-9_-]{50,}"),
    ("google_chat_webhook", "chat.googleapis.com/v1/", "", r"spaces/\S{4,40}/messages\?key=\S*token=[\w%-]{20,}"),
    ("private_key", "PRIVATE KEY", r"-----[ ]*BEGIN (?:[A-Z0-9]+ ){0,3}", r"(?: BLOCK)?[ ]*-----" + _KEY_BODY),
    ("private_key", "SSH2 ENCRYPTED", r"---- BEGIN ", " PRIVATE KEY"),
    ("private_key", "PuTTY-User-Key-File-", "", r"\d"),
    ("private_key", "Private-Lines:", "", r"[ ]*\d"),
    ("private_key", "openssh-key-v1", "", ""),
    ("private_key", "b3BlbnNzaC1rZXktdj", "", r"[A-Za-z0-9+/]"),
    ("private_key", "LS0tLS1CRUdJTi", "", r"[A-Za-z0-9+/]*(?:UFJJVkFURS|BSSVZBVE|QUklWQVRF)"),
    ("private_key", '"kty"', "", r"(?=[^}]{0,1500}\"d\"[ ]*:[ ]*\"[\w-]{16,})"),
    ("recovery_phrase", "xprv", "", r"[A-Za-z0-9]{100,}"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Shape:
    rule: str
    anchor: str
    before: re.Pattern[str] | None
    after: re.Pattern[str]
    varied: bool


PREFIXED_SHAPES = tuple(
    _Shape(rule, anchor, None, re.compile(rest + r"={0,2}(?![A-Za-z0-9])"), True)
    for rule, anchors, rest in _PREFIXED
    for anchor in anchors.split()
)
MARKED_SHAPES = tuple(
    _Shape(rule, anchor, re.compile(f"(?:{before})$") if before else None, re.compile(rest), False)
    for rule, anchor, before, rest in _MARKED
)
_WORD_MIN = 16
_DISCORD = re.compile(r"(?<![\w.-])[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}")
_BEFORE_MAX = 96


def marked_credentials(text: str, *, joined_from: str | None = None) -> Iterator[tuple[str, int]]:
    """The rule and offset of each credential that carries its maker's mark.

    `joined_from` is the text whose lines were joined into this one: then only words that came about by joining are
    looked at, and the longer marks need no boundary before them, because any word may have been pulled to them.
    """
    known = frozenset(joined_from.split()) if joined_from is not None else frozenset[str]()
    words = [(start, word) for start, word in long_words(text, _WORD_MIN) if word not in known]
    # One search over all words for each anchor is much faster than one search in each word.
    pool = "\n".join(word for _, word in words)
    present = [shape for shape in PREFIXED_SHAPES if shape.anchor in pool] if pool else []
    for start, word in words:
        for shape in present:
            if shape.anchor in word:
                offset = _offset_in(shape, word, joined=joined_from is not None)
                if offset is not None:
                    yield shape.rule, start + offset
        if word.count(".") > 1 and (match := _DISCORD.search(word)) and is_varied(match.group()):
            yield "discord_token", start + match.start()
    if joined_from is None:
        for shape in MARKED_SHAPES:
            if shape.anchor in text and (offset := _offset_in(shape, text, joined=False)) is not None:
                yield shape.rule, offset


def _offset_in(shape: _Shape, text: str, *, joined: bool) -> int | None:
    position = text.find(shape.anchor)
    while position >= 0:
        if _is_whole(shape, text, position, joined=joined):
            return position
        position = text.find(shape.anchor, position + 1)
    return None


def _is_whole(shape: _Shape, text: str, position: int, *, joined: bool) -> bool:
    match = shape.after.match(text, position + len(shape.anchor))
    if match is None:
        return False
    if shape.before is not None:
        # The end of the window is where the anchor begins, so `$` stands exactly there.
        return shape.before.search(text, max(0, position - _BEFORE_MAX), position) is not None
    if not shape.varied:
        return True
    before = text[position - 1] if position else " "
    if (before.isascii() and before.isalnum()) or before in "_-":
        loose = joined and len(shape.anchor) >= 4
        if not loose:
            return False
    word = match.group()
    # Keys of capitals and digits may by chance be without a digit.
    return (is_varied(word) or (word.isupper() and shape.anchor.isupper())) and not is_sample(word)
