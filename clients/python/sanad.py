# Generated from the API's description by `make clients`; changes here are lost.
"""Sanad's API, version 1, typed, with Python's standard library alone (3.8 and later).

    from sanad import Client, Problem
    sanad = Client("https://sanad.example", token)
    made = sanad.import_session({"format": "sanad.session/v1", "session": {"answer": "Leave is 15 days."},
                                 "documents": [{"text": "All employees have 15 days of leave."}]})
    ledger = sanad.show_ledger(made.body["session_id"]).body

Each call returns an Answer. What the server refuses is a Problem. A call that may be repeated is sent again on 429 and 503,
after the time that Retry-After names, and where the connection broke; calls that store something have an Idempotency-Key
for that, made here if none is given. A Client may be used by several threads.
"""
from __future__ import annotations

import email.message
import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Dict, Generic, Iterator, List, Literal, Optional, Sequence, Tuple, TypedDict, TypeVar, Union

T = TypeVar("T")
Upload = Union[str, "os.PathLike[str]", Tuple[str, bytes]]
"""A file: its path, or its name and its bytes. Where a text is taken as well, a str is that text, and a path a pathlib.Path."""


@dataclass(frozen=True)
class Answer(Generic[T]):
    """What the server answered: body is None where there is none, as after 304."""

    status: int
    headers: email.message.Message
    body: T

    @property
    def etag(self) -> str:
        """The revision, for if_match and if_none_match; "" if the answer has none."""
        return self.headers.get("ETag", "")

    @property
    def replayed(self) -> bool:
        """Whether the request with this Idempotency-Key was answered before, and this is that answer."""
        return self.headers.get("Idempotent-Replayed") == "true"


class Problem(Exception):
    """What the server refused, as problem details (RFC 9457)."""

    def __init__(self, status: int, headers: email.message.Message, body: bytes) -> None:
        self.status = status
        self.headers = headers
        try:
            said = json.loads(body)
        except ValueError:
            said = None
        self.problem: Dict[str, Any] = said if isinstance(said, dict) else {}
        self.title: str = self.problem.get("title") or http.client.responses.get(status, "")
        self.detail: str = self.problem.get("detail") or ""
        self.path: str = self.problem.get("path") or ""
        self.request_id: str = self.problem.get("request_id") or ""
        super().__init__(" ".join(str(x) for x in (status, self.title, self.path and self.path + ":", self.detail) if x))


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the token would go with it."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _segment(value: Any, slashes: str = "") -> str:
    return urllib.parse.quote(str(value), safe=slashes)


def _base(base: str) -> str:
    """The server's address, or a ValueError that says what is wrong with it, without repeating it: it may hold a password."""
    wanted = "give the server's address, such as https://sanad.example"
    if not isinstance(base, str) or not base.strip():
        raise ValueError("base is empty: " + wanted)
    base = base.strip()
    if any(c <= " " or c == "\x7f" for c in base):
        raise ValueError("base has a space or a line break: " + wanted)
    if not base.lower().startswith(("http://", "https://")):
        raise ValueError("base does not begin with https:// or http://: " + wanted)
    try:
        parts = urllib.parse.urlsplit(base)
        known = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        known = False
    if not known:
        raise ValueError("base has no host, or no port that can be: " + wanted)
    if "@" in parts.netloc:
        raise ValueError("base has a user or a password: leave them out, the token says who asks")
    if parts.query or parts.fragment or "?" in base or "#" in base:
        raise ValueError("base has a ? or a #: leave out what follows the path")
    if parts.path.rstrip("/").endswith("/api/v1"):
        raise ValueError("base ends with /api/v1, which calls add themselves: leave it out")
    return base.rstrip("/")


def _token(token: str) -> str:
    """The token, or a ValueError that says what is wrong with it, without repeating it."""
    wanted = "give a token, as `sanad token add` prints it"
    if not isinstance(token, str) or not token:
        raise ValueError("token is empty: " + wanted)
    if any(c <= " " or c > "~" for c in token):
        raise ValueError("token has a space, a line break or another character that no token has: %s (a file's text may need .strip())" % wanted)
    return token


def _json(body: Any) -> bytes:
    """A body, or bytes as they are: a file that is to arrive unchanged."""
    return body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()


def _file(value: Any) -> Tuple[str, bytes]:
    if isinstance(value, tuple):
        return value
    with open(value, "rb") as f:
        return os.path.basename(os.fspath(value)), f.read()


def _form(parts: Dict[str, Any], texts: Sequence[str]) -> Tuple[bytes, str]:
    """The body of a form, and its media type. Parts in texts may be a str that is their text."""
    boundary = uuid.uuid4().hex
    out: List[bytes] = []
    for name, value in parts.items():
        for item in value if isinstance(value, list) else [] if value is None else [value]:
            about = 'Content-Disposition: form-data; name="%s"' % name
            if isinstance(item, str) and name in texts:
                data = item.encode()
            else:
                filename, data = _file(item)
                about += '; filename="%s"' % filename.replace("\\", "\\\\").replace('"', '\\"').replace("\r", " ").replace("\n", " ")
            out += [b"--", boundary.encode(), b"\r\n", about.encode(), b"\r\n\r\n", data, b"\r\n"]
    out += [b"--", boundary.encode(), b"--\r\n"]
    return b"".join(out), "multipart/form-data; boundary=" + boundary


class Client:
    """Calls a server at base, such as https://sanad.example, with a token (`sanad token add`)."""

    def __init__(self, base: str, token: str, *, timeout: float = 60, retries: int = 4, longest_wait: float = 60,
                 sleep: Callable[[float], None] = time.sleep) -> None:
        self._base = _base(base)
        self._token = _token(token)
        self._timeout = timeout
        self._retries = retries
        self._longest_wait = longest_wait
        self._sleep = sleep
        self._opener = urllib.request.build_opener(_Stay)

    def download(self, address: str) -> bytes:
        """Fetch a link that an answer named, such as download_url: an address of this server."""
        if not address.startswith("/") or address.startswith("//"):
            raise ValueError("not an address of this server: " + address)
        return self._call("GET", address, {}, {}, None, "", True).body

    def pages(self, call: Callable[..., Answer[T]], *args: Any, **query: Any) -> Iterator[T]:
        """The pages of a list, one after the other: for page in sanad.pages(sanad.list_sessions, limit=200)"""
        while True:
            body: Any = call(*args, **query).body
            yield body
            if not body.get("next"):
                return
            query["after"] = body["next"]

    def _call(self, method: str, path: str, query: Dict[str, Any], headers: Dict[str, Optional[str]], body: Optional[bytes],
              media: str, repeats: bool) -> Answer[Any]:
        asked = {k: str(v).lower() if isinstance(v, bool) else str(v) for k, v in query.items() if v is not None}
        url = self._base + path + ("?" + urllib.parse.urlencode(asked) if asked else "")
        sent = {"Authorization": "Bearer " + self._token, "User-Agent": "sanad-python"}
        sent.update({k: v for k, v in headers.items() if v is not None})
        if media:
            sent["Content-Type"] = media
        attempt = 0
        while True:
            wait = min(2.0 ** attempt, self._longest_wait)
            try:
                with self._opener.open(urllib.request.Request(url, body, sent, method=method), timeout=self._timeout) as res:
                    return self._read(res.status, res.headers, res.read())
            except urllib.error.HTTPError as refused:
                with refused:
                    data = refused.read()
                if refused.code == 304:
                    return Answer(304, refused.headers, None)
                after = refused.headers.get("Retry-After", "")
                wait = float(after) if after.isdigit() else wait
                again = refused.code in (429, 503) and wait <= self._longest_wait
                if not (repeats and again and attempt < self._retries):
                    raise Problem(refused.code, refused.headers, data) from None
            except (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError):
                if not repeats or attempt >= self._retries:
                    raise
            attempt += 1
            self._sleep(wait)

    @staticmethod
    def _read(status: int, headers: email.message.Message, data: bytes) -> Answer[Any]:
        if not data:
            return Answer(status, headers, None)
        if headers.get_content_type().endswith("json"):
            return Answer(status, headers, json.loads(data))
        return Answer(status, headers, data)

    def show_description(self, *, if_none_match: Optional[str] = None) -> Answer[Union[Dict[str, Any], None]]:
        """This description."""
        return self._call("GET", "/api/v1/openapi.json", {}, {"If-None-Match": if_none_match}, None, "", True)

    def list_own_tokens(self) -> Answer[ListOwnTokensAnswer]:
        """List your own tokens. The newest 100 that act as you here, with when each was last used."""
        return self._call("GET", "/api/v1/account/tokens", {}, {}, None, "", True)

    def add_own_token(self, body: OwnTokenInput) -> Answer[TokenSecret]:
        """Create a token that acts as you. It can never do more than you can. It is valid for 1 to 365 days. The secret is only in this answer, so the call takes no Idempotency-Key."""
        return self._call("POST", "/api/v1/account/tokens", {}, {}, _json(body), "application/json", False)

    def revoke_own_token(self, id: str, *, idempotency_key: Optional[str] = None) -> Answer[None]:
        """Revoke one of your own tokens. The next request with it is refused."""
        return self._call("DELETE", "/api/v1/account/tokens/%s" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None, "", True)

    def list_account_changes(self) -> Answer[ListAccountChangesAnswer]:
        """List changes of your account. Who changed what of your account here: password, role, access, one-time codes, tokens, the link with your organisation's login. The newest 20."""
        return self._call("GET", "/api/v1/account/changes", {}, {}, None, "", True)

    def show_job_title(self) -> Answer[JobTitle]:
        """Read your job title. What stands beside your name when you sign a pack; '' if none."""
        return self._call("GET", "/api/v1/account/title", {}, {}, None, "", True)

    def set_job_title(self, body: JobTitleInput, *, idempotency_key: Optional[str] = None) -> Answer[JobTitle]:
        """Change your job title. Up to 100 characters, '' for none. Packs that you have signed keep the title you had then."""
        return self._call("PUT", "/api/v1/account/title", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def show_mail_settings(self) -> Answer[MailSettings]:
        """Read what you get by e-mail. For each kind of notification: once (soon after it happened), daily (in the daily summary) or off. address is null if your account has none that this organisation's mails may go to; available is false if no mail server is set up."""
        return self._call("GET", "/api/v1/account/mail", {}, {}, None, "", True)

    def set_mail_settings(self, body: MailInput, *, idempotency_key: Optional[str] = None) -> Answer[MailSettings]:
        """Change what you get by e-mail. Kinds that are left out stay as they are, and so does the language."""
        return self._call("PUT", "/api/v1/account/mail", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def list_deputies(self) -> Answer[ListDeputiesAnswer]:
        """List deputies for approvals. Your own and those for whom you are the deputy; an administrator sees all. Those whose time is over are in the log."""
        return self._call("GET", "/api/v1/deputies", {}, {}, None, "", True)

    def set_deputy(self, body: DeputyInput, *, idempotency_key: Optional[str] = None) -> Answer[Union[Deputy, APIChange]]:
        """Name a deputy for approvals. From the first to the last day, both included, in your organisation's time zone, what waits for your approval waits for the deputy; without a first day, from now on. The deputy is an approver or administrator who has no deputy in that time and does not count as one person with you (rule P-22); while you are a deputy yourself, you can have none. An administrator names the deputy of somebody else: with user_id, a fresh password and, where a second administrator is required, a reason. Only for people."""
        return self._call("POST", "/api/v1/deputies", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def end_deputy(self, id: str, body: Optional[DeputyEndInput] = None, *, idempotency_key: Optional[str] = None) -> Answer[Deputy]:
        """End a deputy's time. By the person who is away, the deputy, or an administrator, who gives a fresh password. 409 if it is over. Only people."""
        return self._call("POST", "/api/v1/deputies/%s/end" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def list_changes(self) -> Answer[ListChangesAnswer]:
        """List changes that need a second administrator. Those that wait first, then the newest; at most 100."""
        return self._call("GET", "/api/v1/changes", {}, {}, None, "", True)

    def show_change(self, id: str) -> Answer[ChangeShown]:
        """Read one change request."""
        return self._call("GET", "/api/v1/changes/%s" % (_segment(id), ), {}, {}, None, "", True)

    def confirm_change(self, id: str, body: ConfirmInput, *, idempotency_key: Optional[str] = None) -> Answer[APIChange]:
        """Confirm a change as the second administrator. It takes effect at once. The person who asked cannot confirm it, nor can anybody who counts as one person with them (rule P-22): one of the two set up the other's account, password, role, token or one-time code within 30 days, or one person did so for both, directly or through others."""
        return self._call("POST", "/api/v1/changes/%s/confirm" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def refuse_change(self, id: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Answer[APIChange]:
        """Refuse a change."""
        return self._call("POST", "/api/v1/changes/%s/refuse" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def withdraw_change(self, id: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Answer[APIChange]:
        """Take back your own request."""
        return self._call("POST", "/api/v1/changes/%s/withdraw" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def show_second_admin(self) -> Answer[Demand]:
        """Read whether a second administrator is required. For roles, resets, new approvers and administrators, access, the sign-off policy, shorter retention periods and lifting legal holds: while there are two administrators, and for 30 days after one of two was disabled or demoted."""
        return self._call("GET", "/api/v1/second-admin", {}, {}, None, "", True)

    def show_second_factor(self) -> Answer[Factor]:
        """Read whether a second factor is required."""
        return self._call("GET", "/api/v1/second-factor", {}, {}, None, "", True)

    def set_second_factor(self, body: FactorInput, *, idempotency_key: Optional[str] = None) -> Answer[Union[Factor, APIChange]]:
        """Require a second factor of approvers and administrators, or no longer. 409 if the caller has none. Where a second administrator is required, switching it off needs that one: 202."""
        return self._call("PUT", "/api/v1/second-factor", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def list_invitations(self) -> Answer[ListInvitationsAnswer]:
        """List the invitations that wait. By login name and by link, the newest first, at most 100. One that the person declined is among them until it lapses. No answer shows a link again."""
        return self._call("GET", "/api/v1/invitations", {}, {}, None, "", True)

    def invite(self, body: InvitationInput, *, idempotency_key: Optional[str] = None) -> Answer[Union[Invitation, APIChange]]:
        """Invite somebody who has an account to your organisation. The login name is one of the whole installation. The answer is the same whether anybody has it; who has it is shown the invitation for 14 days, and joins by accepting it. 409 if that person is in your organisation, if the name is invited already, or if 100 invitations wait. Only a person with the password invites, and the membership counts as given by them (rule P-22)."""
        return self._call("POST", "/api/v1/invitations", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def invite_by_link(self, body: LinkInput) -> Answer[Union[InvitationLink, InvitationLinkAsked]]:
        """Make a link by which somebody creates their account. Whoever uses the link chooses name, login name and password, and has the role. It can be used once, within 1 to 30 days. Pass it on yourself: no e-mail is sent. The link is only in this answer, so the call takes no Idempotency-Key. The e-mail address is that of the account: who uses the link cannot change it. 409 if 100 invitations wait. Only a person with the password invites, and the account counts as made by them (rule P-22)."""
        return self._call("POST", "/api/v1/invitations/link", {}, {}, _json(body), "application/json", False)

    def withdraw_invitation(self, id: str, *, idempotency_key: Optional[str] = None) -> Answer[None]:
        """Withdraw an invitation. Its link, if it has one, can no longer be used."""
        return self._call("DELETE", "/api/v1/invitations/%s" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None, "", True)

    def list_own_invitations(self) -> Answer[ListOwnInvitationsAnswer]:
        """List the invitations to you. Those of other organisations that you can accept or decline, the newest first."""
        return self._call("GET", "/api/v1/account/invitations", {}, {}, None, "", True)

    def accept_invitation(self, id: str, body: ConfirmInput, *, idempotency_key: Optional[str] = None) -> Answer[Invited]:
        """Accept an invitation. You join that organisation with the role. From then on, only you and the operator can change your account itself."""
        return self._call("POST", "/api/v1/account/invitations/%s/accept" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def decline_invitation(self, id: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Answer[None]:
        """Decline an invitation. That organisation is not told, and cannot show you another one before this one lapses."""
        return self._call("POST", "/api/v1/account/invitations/%s/decline" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def list_trusted_keys(self) -> Answer[ListTrustedKeysAnswer]:
        """List the keys of other stores that are trusted. An exported ledger that one of them signed, and that nobody has changed since, is shown as reviewed at that store. It settles nothing here."""
        return self._call("GET", "/api/v1/trusted-keys", {}, {}, None, "", True)

    def add_trusted_key(self, body: TrustedKeyInput, *, idempotency_key: Optional[str] = None) -> Answer[TrustedKey]:
        """Trust the key of another store. The public key is PEM, as the other store's page of keys offers it. The store is shown by this name."""
        return self._call("POST", "/api/v1/trusted-keys", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def remove_trusted_key(self, *, id: Optional[str] = None, idempotency_key: Optional[str] = None) -> Answer[None]:
        """Trust a key no longer. Ledgers that were imported under it keep the store's name."""
        return self._call("DELETE", "/api/v1/trusted-keys", {"id": id}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None, "", True)

    def list_sessions(self, *, state: Optional[Literal["open", "new", "in_review", "reviewed", "closed"]] = None, assigned: Optional[Literal["me"]] = None, reviewer: Optional[str] = None, verdict: Optional[Literal["supported", "weak", "contradicted", "not_found"]] = None, flag: Optional[Literal["missing_evidence", "contradiction", "outdated_source", "ambiguous_evidence", "conflicting_sources", "low_confidence", "miscitation", "invented_quotation", "struck_or_hidden", "doubtful_reading"]] = None, threads: Optional[str] = None, due: Optional[Literal["late", "soon"]] = None, q: Optional[str] = None, sort: Optional[Literal["created", "title", "coverage", "claims"]] = None, dir: Optional[Literal["asc", "desc"]] = None, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[ListSessionsAnswer]:
        """List sessions. Newest first by default."""
        return self._call("GET", "/api/v1/sessions", {"state": state, "assigned": assigned, "reviewer": reviewer, "verdict": verdict, "flag": flag, "threads": threads, "due": due, "q": q, "sort": sort, "dir": dir, "limit": limit, "after": after}, {}, None, "", True)

    def import_session(self, body: Union[SessionImportInput, bytes], *, idempotency_key: Optional[str] = None) -> Answer[Union[Session, Job]]:
        """Import a session. Takes sanad.session/v1, an exported ledger, and the interchange formats: rows of Ragas and RAGTruth, messages of Anthropic, OpenAI, Cohere, Gemini and Bedrock, spans and others. The format is detected. Claims without matches are judged here. As a form it takes PDF, Word, HTML, Markdown and text files."""
        return self._call("POST", "/api/v1/sessions", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def import_session_form(self, *, title: Optional[Union[str, Upload]] = None, query: Optional[Union[str, Upload]] = None, answer: Optional[Union[str, Upload]] = None, lang: Optional[Union[str, Upload]] = None, session: Optional[Union[str, Upload]] = None, documents: Optional[Sequence[Upload]] = None, file: Optional[Upload] = None, idempotency_key: Optional[str] = None) -> Answer[Union[Session, Job]]:
        """Import a session. Takes sanad.session/v1, an exported ledger, and the interchange formats: rows of Ragas and RAGTruth, messages of Anthropic, OpenAI, Cohere, Gemini and Bedrock, spans and others. The format is detected. Claims without matches are judged here. As a form it takes PDF, Word, HTML, Markdown and text files. This sends a form with files."""
        parts: Dict[str, Any] = {"title": title, "query": query, "answer": answer, "lang": lang, "session": session, "documents": list(documents or []), "file": file}
        sent, media = _form(parts, ["title", "query", "answer", "lang", "session"])
        return self._call("POST", "/api/v1/sessions", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, sent, media, True)

    def import_sessions(self, body: BatchInput, *, idempotency_key: Optional[str] = None) -> Answer[Batch]:
        """Import several sessions. Up to 1,000 sessions and 16 MiB in one request, each in any format that importSession takes; together up to 10,000 claims, of which the embedded judge reads up to 200. Every session is imported on its own, in their order, and has its own result: one that is refused does not stop the others. Sessions of more than 5 MiB or 1,000 claims are refused, as importSession makes a job of them."""
        return self._call("POST", "/api/v1/sessions:batch", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def show_session(self, id: str) -> Answer[SessionReview]:
        """Show the progress of a review."""
        return self._call("GET", "/api/v1/sessions/%s" % (_segment(id), ), {}, {}, None, "", True)

    def show_ledger(self, id: str, *, verdict: Optional[str] = None, citation: Optional[Literal["holds", "in_part", "elsewhere", "does_not_hold", "unresolved", "unread"]] = None, quotation: Optional[Literal["exact", "normalised", "fuzzy", "not_found"]] = None, from_: Optional[int] = None, limit: Optional[int] = None, if_none_match: Optional[str] = None) -> Answer[Union[LedgerAnswer, None]]:
        """Read a ledger. All entries, or with from or limit some of them: page then says how many match, how many of them come after those listed, and where to go on. The summary and risk flags always cover all claims; of some entries, affected_claim_ids names those listed, and affected_count counts all."""
        return self._call("GET", "/api/v1/sessions/%s/ledger" % (_segment(id), ), {"verdict": verdict, "citation": citation, "quotation": quotation, "from": from_, "limit": limit}, {"If-None-Match": if_none_match}, None, "", True)

    def set_reviewers(self, id: str, body: ReviewersInput, *, idempotency_key: Optional[str] = None) -> Answer[SessionReview]:
        """Set the reviewers of a session. Every reviewer may take a free seat and leave their own. Only administrators assign others and ask for a second review. In a blind second review nobody sees the other's reviews of a claim before both have decided it, and users who can read the audit log have no seat."""
        return self._call("POST", "/api/v1/sessions/%s/reviewers" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def assign_sessions(self, body: AssignInput, *, state: Optional[Literal["open", "new", "in_review", "reviewed", "closed"]] = None, assigned: Optional[Literal["me"]] = None, reviewer: Optional[str] = None, verdict: Optional[Literal["supported", "weak", "contradicted", "not_found"]] = None, flag: Optional[Literal["missing_evidence", "contradiction", "outdated_source", "ambiguous_evidence", "conflicting_sources", "low_confidence", "miscitation", "invented_quotation", "struck_or_hidden", "doubtful_reading"]] = None, threads: Optional[str] = None, due: Optional[Literal["late", "soon"]] = None, q: Optional[str] = None, sort: Optional[Literal["created", "title", "coverage", "claims"]] = None, dir: Optional[Literal["asc", "desc"]] = None, idempotency_key: Optional[str] = None) -> Answer[Assigned]:
        """Assign many sessions. Gives the sessions under review that pass the filters, and that are nobody's or one person's (whose), to other first reviewers: turns, one each again and again; load, to who has the fewest under review; shares, in proportion to share; nobody, with no people in to, takes them back. At most 10,000 at once, or as most says, those with the gravest flags first, then the oldest; all in one transaction. sessions names those among which they are. With dry_run nothing is changed, and the answer says what would be."""
        return self._call("POST", "/api/v1/sessions:assign", {"state": state, "assigned": assigned, "reviewer": reviewer, "verdict": verdict, "flag": flag, "threads": threads, "due": due, "q": q, "sort": sort, "dir": dir}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def close_session(self, id: str, body: Optional[CloseInput] = None, *, idempotency_key: Optional[str] = None) -> Answer[SessionReview]:
        """Close a session. A reason is required if claims are not settled. Any change opens the session again."""
        return self._call("POST", "/api/v1/sessions/%s/close" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def reopen_session(self, id: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Answer[SessionReview]:
        """Reopen a closed session."""
        return self._call("POST", "/api/v1/sessions/%s/reopen" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def judge_session(self, id: str, body: Optional[JudgeInput] = None, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[Union[Judged, Job]]:
        """Judge a session again. Judges its claims with its stored chunks, without withdrawn documents; with bundle_id from the items of that bundle and nothing else. judge is embedded, the default, lexical, the same without its reader, or the id or name of an endpoint that an administrator made. With scope rest, the default, the endpoint is asked about the claims of which the embedded judge is not sure, with all about every claim. Earlier runs stay readable. Reviews are kept; those of claims whose verdict or evidence changed become stale."""
        return self._call("POST", "/api/v1/sessions/%s/judge" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def estimate_judge(self, id: str, *, judge: Optional[str] = None, scope: Optional[Literal["rest", "all"]] = None) -> Answer[JudgeEstimate]:
        """Estimate what a run by an endpoint asks and costs. How many claims judgeSession would put to the endpoint, why, and what that is expected to take. Nothing is sent. Answers that are known already are counted, though they cost nothing."""
        return self._call("GET", "/api/v1/sessions/%s/judge/estimate" % (_segment(id), ), {"judge": judge, "scope": scope}, {}, None, "", True)

    def list_runs(self, id: str, *, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[ListRunsAnswer]:
        """List the judge runs of a session. The newest first."""
        return self._call("GET", "/api/v1/sessions/%s/runs" % (_segment(id), ), {"limit": limit, "after": after}, {}, None, "", True)

    def show_run(self, id: str, n: int, *, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[ShowRunAnswer]:
        """Read the judgement of a run. Also of an earlier run; in the order of the claims."""
        return self._call("GET", "/api/v1/sessions/%s/runs/%s/claims" % (_segment(id), _segment(n), ), {"limit": limit, "after": after}, {}, None, "", True)

    def show_run_changes(self, id: str, n: int, *, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[ShowRunChangesAnswer]:
        """See what a run changed. Compared with the run before it, in the order of the claims; empty for the first run."""
        return self._call("GET", "/api/v1/sessions/%s/runs/%s/changes" % (_segment(id), _segment(n), ), {"limit": limit, "after": after}, {}, None, "", True)

    def list_opinions(self, id: str, *, differ: Optional[bool] = None, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[ListOpinionsAnswer]:
        """Set the verdicts of several judges side by side. Each claim with the newest verdict of every judge that has judged it, and that of people where it is settled. A judge that asks a model is one for each model. Of the runs, the newest ones are read (runs_read of showAgreement), of the claims the first 10,000."""
        return self._call("GET", "/api/v1/sessions/%s/opinions" % (_segment(id), ), {"differ": differ, "limit": limit, "after": after}, {}, None, "", True)

    def show_agreement(self, id: str) -> Answer[Agreements]:
        """See how far judges and people agree on a session. Each pair over the claims that both have judged: how many have the same verdict, with the 95 % score interval (Wilson) of that share, Cohen's kappa from 30 claims on, and which verdict stands against which; the same for each type of claim and each language."""
        return self._call("GET", "/api/v1/sessions/%s/agreement" % (_segment(id), ), {}, {}, None, "", True)

    def redline_answers(self, id: str, *, from_: Optional[str] = None, to: Optional[str] = None, language: Optional[Literal["en", "ar"]] = None) -> Answer[bytes]:
        """Read what changed in the wording of an answer as a PDF. The whole answer: what the newer version removed is struck through, what it added is underlined."""
        return self._call("GET", "/api/v1/sessions/%s/answers.pdf" % (_segment(id), ), {"from": from_, "to": to, "language": language}, {}, None, "", True)

    def revise_answer(self, id: str, body: RevisedAnswerInput, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[Union[Revised, Job]]:
        """Revise the answer of a session. Makes the next version of the answer: a session of its own. Claims whose text is in both versions keep their matches and reviews; the others are judged and have since_version in an export. Claims are split from the answer unless they are given. Only the newest version can be revised."""
        return self._call("POST", "/api/v1/sessions/%s/answers" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def list_answers(self, id: str) -> Answer[ListAnswersAnswer]:
        """List the versions of an answer. The first version first, at most 200; each is a session."""
        return self._call("GET", "/api/v1/sessions/%s/answers" % (_segment(id), ), {}, {}, None, "", True)

    def show_answer_changes(self, id: str, n: int, *, from_: Optional[str] = None) -> Answer[ShowAnswerChangesAnswer]:
        """Compare two versions of an answer. What became of each claim, in the order of the newer version."""
        return self._call("GET", "/api/v1/sessions/%s/answers/%s/changes" % (_segment(id), _segment(n), ), {"from": from_}, {}, None, "", True)

    def export_ledger(self, id: str, body: LedgerExportInput, *, idempotency_key: Optional[str] = None) -> Answer[LedgerLink]:
        """Export a ledger. The formats are markdown, json, pdf, csv and xlsx. A PDF has an English and an Arabic part; `language` asks for one of them. CSV has a row for each claim, XLSX a sheet each of the claims, the evidence, the reviews and the risk flags; both are in English unless `language` asks for Arabic."""
        return self._call("POST", "/api/v1/sessions/%s/ledger/export" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def review_claim(self, id: str, n: int, body: ReviewInput, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[ReviewAnswer]:
        """Review a claim. undo takes back the caller's newest review of the claim or, with review_id, that comment of theirs. A reason or comment addresses people of the tenant by @ and their whole name or login name; they are notified, of a sealed one once the seal falls. A comment has at most 4,000 characters. One that asks for an answer, and one that somebody replied to, is an open thread until it is resolved. comment with review_id replies to that comment, resolve and reopen with review_id are about its thread; its people are notified. A thread has at most 100 replies. not_a_claim says, with a reason, that the text is no claim: no figure counts it any more. It is refused where two people review blind, and while the session is closed."""
        return self._call("POST", "/api/v1/sessions/%s/claims/%s/reviews" % (_segment(id), _segment(n), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def attach_passage(self, id: str, n: int, body: PassageInput, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[PassageAttached]:
        """Attach a passage to a claim as evidence. document_id is the id of the document in session.documents of the ledger. start and end are code points in the document's text: the places that its chunks state, or, if they state none, those in its chunks joined by line feeds. The passage lies within one chunk. It becomes a match by the caller, with name and time, which the judge judges by that passage alone; the verdict rules then apply as to any other match. Reviews of the claim become stale."""
        return self._call("POST", "/api/v1/sessions/%s/claims/%s/passages" % (_segment(id), _segment(n), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def reword_claims(self, id: str, body: RewordInput, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[Union[Reworded, Job]]:
        """Split, merge or rewrite claims. Puts claims in the place of others: one for one writes it anew, several for one split it, one for several merges them; at most 20 of each. The old claims no longer count, and keep their reviews; the new ones stand behind the last claim and begin unreviewed. They are judged as when documents are added; where the caller gave the verdicts they stay unjudged. Refused where two people review blind, and while the session is closed."""
        return self._call("POST", "/api/v1/sessions/%s/claims:reword" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def take_back_rewording(self, id: str, n: int, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[Reworded]:
        """Take back a split, merge or rewrite. The old claims count again as they were, and the new ones do not. Only whoever replaced them may, until one of the new claims is reviewed."""
        return self._call("POST", "/api/v1/sessions/%s/claims/%s/take-back" % (_segment(id), _segment(n), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def review_claims(self, id: str, body: BulkInput, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[BulkAnswer]:
        """Confirm several claims, or undo that. confirm confirms the claims that match the whole filter, are among claims if that is given, and wait for the caller: one review per claim, all or none, at most 5,000. Critical and flagged claims are left out unless the tenant's policy lets bulk steps take them. With dry_run it answers what would be done and changes nothing. undo takes back what is left of such a step, named by its batch_id; filter and claims are then ignored."""
        return self._call("POST", "/api/v1/sessions/%s/reviews:bulk" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def add_documents(self, id: str, body: AddInput, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[Union[Added, Job]]:
        """Add documents to a session. Documents as in sanad.session/v1, at most 16 MiB in one request, or files as a form. Claims that are not supported, and supported ones that a new document contradicts, are judged again with all documents; other claims keep their judgement. Reviews are kept; those of claims whose verdict or evidence changed become stale."""
        return self._call("POST", "/api/v1/sessions/%s/documents" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def add_documents_form(self, id: str, *, documents: Optional[Sequence[Upload]] = None, idempotency_key: Optional[str] = None, if_match: str) -> Answer[Union[Added, Job]]:
        """Add documents to a session. Documents as in sanad.session/v1, at most 16 MiB in one request, or files as a form. Claims that are not supported, and supported ones that a new document contradicts, are judged again with all documents; other claims keep their judgement. Reviews are kept; those of claims whose verdict or evidence changed become stale. This sends a form with files."""
        parts: Dict[str, Any] = {"documents": list(documents or [])}
        sent, media = _form(parts, [])
        return self._call("POST", "/api/v1/sessions/%s/documents" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, sent, media, True)

    def withdraw_document(self, id: str, body: WithdrawInput, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[Withdrawn]:
        """Withdraw a document. id is the id of the document in session.documents of its session's ledger, and If-Match takes the ETag of that ledger. The text stays readable. Citations of it no longer resolve, and reviews of claims that rest on it become stale. Judge the session again for verdicts without it."""
        return self._call("POST", "/api/v1/documents/%s/withdraw" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def replace_document(self, id: str, body: ReplaceInput, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[Replaced]:
        """Replace a document with a newer version. The older version is withdrawn, as by withdrawDocument. The newer one, with either text or pages, is added to the session and supersedes it. It takes over the fields that the request leaves out, except the dates. Judge the session again for verdicts by the newer version."""
        return self._call("POST", "/api/v1/documents/%s/replace" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def show_citation(self, hash: str) -> Answer[CitationAnswer]:
        """Resolve a citation. Finds the passages that `[cite:…]` refers to, anywhere in the tenant, and gives the words of the one that it resolves to."""
        return self._call("GET", "/api/v1/citations/%s" % (_segment(hash), ), {}, {}, None, "", True)

    def make_evidence_map(self, body: EvidenceMapInput) -> Answer[EvidenceMap]:
        """Compute an evidence map. prove names evidence ids; each gets an inclusion proof (RFC 6962), which shows that the passage is in the map with this root, without the rest of the map."""
        return self._call("POST", "/api/v1/evidence-maps", {}, {}, _json(body), "application/json", False)

    def check_pointers(self, body: PointerAnswerInput, *, idempotency_key: Optional[str] = None) -> Answer[PointerAnswer]:
        """Check an answer that points to evidence. Makes a session of the answer. pointer_ids, or evidence_ids, are those of the map of these chunks (E1 is the first chunk). Unknown ones are violations, never errors; a claim with a violation or without evidence is ungrounded. Claims are given by number, from 1."""
        return self._call("POST", "/api/v1/evidence-maps/answers", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def pack_sources(self, body: SourcesInput) -> Answer[SourceEvent]:
        """Choose sources to show beside an answer. Unknown fields of candidates and chunks are ignored. For JSON that is not retrieval output the list is empty, and with options.debug it has the reason. At most 100,000 candidates and 200,000 chunks are taken."""
        return self._call("POST", "/api/v1/sources:pack", {}, {}, _json(body), "application/json", False)

    def show_session_due(self, id: str, *, if_none_match: Optional[str] = None) -> Answer[Union[Due, None]]:
        """Read the due date of a session. due_on is null if none is set. That day ends at midnight in time_zone, at the instant late_at."""
        return self._call("GET", "/api/v1/sessions/%s/due" % (_segment(id), ), {}, {"If-None-Match": if_none_match}, None, "", True)

    def set_session_due(self, id: str, body: DueInput, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[Due]:
        """Set, change or remove the due date of a session. Who has a seat in the review sets it, and administrators. due_on is a day from today to ten years ahead; it ends at midnight of the time zone that the tenant has when it is set (time_zone in the answer; UTC by default). null removes the date. The ETag is that of the due date, also of one that was never set."""
        return self._call("PUT", "/api/v1/sessions/%s/due" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def search(self, *, q: Optional[str] = None, kind: Optional[Literal["claim", "answer", "passage", "note"]] = None, verdict: Optional[Literal["supported", "weak", "contradicted", "not_found", "unjudged"]] = None, state: Optional[Literal["new", "in_review", "reviewed", "closed"]] = None, from_: Optional[str] = None, to: Optional[str] = None, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[SearchAnswer]:
        """Search claims, answers, documents and notes. Finds texts that contain all words of q in any form, in English and Arabic. Results are ordered by kind, newest first. Answers are searched in parts of 4,000 code points, documents by chunk. Others' notes in sessions with a blind second review are left out. Offsets count code points."""
        return self._call("GET", "/api/v1/search", {"q": q, "kind": kind, "verdict": verdict, "state": state, "from": from_, "to": to, "limit": limit, "after": after}, {}, None, "", True)

    def show_stats(self, *, days: Optional[Literal[30, 90, 365]] = None) -> Answer[Stats]:
        """Show the figures of the dashboard. Open sessions by age, the last twelve weeks, and how far people agree with the machine. A week, like the period, counts the sessions that were imported in it. The comparison covers claims that have a verdict by the machine and now one by a person: stale and sealed reviews and unsettled differences do not count."""
        return self._call("GET", "/api/v1/stats", {"days": days}, {}, None, "", True)

    def list_reviewed_models(self, *, days: Optional[Literal[30, 90, 365]] = None, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[ListReviewedModelsAnswer]:
        """See which model is wrong how often, and on what. The models whose answers are reviewed (the endpoints that judge are under /models), by provider, name and version, those with most claims first. Wrong are claims whose verdict now is contradicted or not found: of all that are judged, and of those that people settled. low and high are the 95 % score interval (Wilson) of the share. The sessions of the period are counted; of very many, the newest 2,000 and 100,000 claims, and then counted.more is true."""
        return self._call("GET", "/api/v1/stats/models", {"days": days, "limit": limit, "after": after}, {}, None, "", True)

    def list_jobs(self, *, state: Optional[Literal["queued", "running", "done", "failed", "cancelled"]] = None, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[ListJobsAnswer]:
        """List jobs. Newest first. Jobs that have ended are listed for 30 days."""
        return self._call("GET", "/api/v1/jobs", {"state": state, "limit": limit, "after": after}, {}, None, "", True)

    def show_job(self, id: str) -> Answer[Job]:
        """Show the progress of a job. While it is queued or running, poll once a second. A finished import has its session_id. While the endpoint that a judging asks does not answer, warnings says why."""
        return self._call("GET", "/api/v1/jobs/%s" % (_segment(id), ), {}, {}, None, "", True)

    def cancel_job(self, id: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Answer[Job]:
        """Cancel a job. Nothing of an import will be stored. A judging leaves the ledger as it is; what an endpoint has answered by then is kept, and counts as spent. Cancelling it again changes nothing."""
        return self._call("POST", "/api/v1/jobs/%s/cancel" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def list_decisions(self, *, missing: Optional[bool] = None, level: Optional[Literal["mandatory", "recommended", "skip"]] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[ListDecisionsAnswer]:
        """List decisions. Newest first."""
        return self._call("GET", "/api/v1/decisions", {"missing": missing, "level": level, "q": q, "limit": limit, "after": after}, {}, None, "", True)

    def import_decision(self, body: DecisionFileInput, *, idempotency_key: Optional[str] = None) -> Answer[Decision]:
        """Import a decision. The excerpt of an S3 source, and the inputs and outputs of an S3 tool call, are replaced by a URI and a salted hash before anything is stored."""
        return self._call("POST", "/api/v1/decisions", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def show_decision(self, id: str) -> Answer[DecisionKept]:
        """Read a decision. As it is stored (texts of class S3 replaced), with the packs about it."""
        return self._call("GET", "/api/v1/decisions/%s" % (_segment(id), ), {}, {}, None, "", True)

    def add_tool_call(self, id: str, body: PackToolCallRecordInput, *, idempotency_key: Optional[str] = None) -> Answer[Call]:
        """Add a tool call to a decision. Any time before its pack is submitted; an open draft gets it too. Idempotent by the caller's id: the same content again answers 200, other content 409."""
        return self._call("POST", "/api/v1/decisions/%s/tool-calls" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def show_policy(self) -> Answer[PackPolicy]:
        """Read the sign-off policy. What must hold before a pack is signed, by approval class: off, warn or must for each rule. Version 0 is the default."""
        return self._call("GET", "/api/v1/policy", {}, {}, None, "", True)

    def put_policy(self, body: PackPolicyInput, *, reason: Optional[str] = None, if_match: str) -> Answer[Union[PackPolicy, APIChange]]:
        """Replace the sign-off policy. It holds for packs that are submitted from then on. Every rule stands once, in the order in which it is read; version is not read. Where a second administrator is required, so is reason."""
        return self._call("PUT", "/api/v1/policy", {"reason": reason}, {"If-Match": if_match}, _json(body), "application/json", True)

    def list_packs(self, *, state: Optional[Literal["draft", "in_review", "signed_off", "returned", "superseded", "discarded"]] = None, level: Optional[Literal["mandatory", "recommended", "skip"]] = None, decision_id: Optional[str] = None, ledger_session_id: Optional[str] = None, q: Optional[str] = None, due: Optional[Literal["late", "soon"]] = None, waits: Optional[Literal["me"]] = None, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[ListPacksAnswer]:
        """List packs. Newest first."""
        return self._call("GET", "/api/v1/packs", {"state": state, "level": level, "decision_id": decision_id, "ledger_session_id": ledger_session_id, "q": q, "due": due, "waits": waits, "limit": limit, "after": after}, {}, None, "", True)

    def create_pack(self, body: PackInput, *, idempotency_key: Optional[str] = None) -> Answer[Pack]:
        """Open a draft. 409 if the decision has a pack: open a new version of that."""
        return self._call("POST", "/api/v1/packs", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def show_pack(self, id: str, *, if_none_match: Optional[str] = None) -> Answer[Union[Pack, None]]:
        """Read a pack. The content of pack.json, and everything that changes later. The exact bytes of pack.json are in an export. What changes in ledger and documents after submission is in alarms and concerns, and changes the ETag."""
        return self._call("GET", "/api/v1/packs/%s" % (_segment(id), ), {}, {"If-None-Match": if_none_match}, None, "", True)

    def edit_pack(self, id: str, body: PackChangeInput, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[Pack]:
        """Mend a draft. Fields that are left out stay unchanged; sources and tool_calls replace all of the draft's. Each change is logged with its reason. The decision stays as it was received; mended in the answer lists the places in which the draft differs from it."""
        return self._call("PATCH", "/api/v1/packs/%s" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def list_versions(self, id: str) -> Answer[ListVersionsAnswer]:
        """List a pack's versions."""
        return self._call("GET", "/api/v1/packs/%s/versions" % (_segment(id), ), {}, {}, None, "", True)

    def create_version(self, id: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[Pack]:
        """Open the next version. For a pack that was signed off or returned."""
        return self._call("POST", "/api/v1/packs/%s/versions" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def redline_memo(self, id: str, *, with_: Optional[str] = None, language: Optional[Literal["en", "ar"]] = None) -> Answer[bytes]:
        """Read what changed in the wording of the memo as a PDF. What the newer version removed is struck through, what it added is underlined."""
        return self._call("GET", "/api/v1/packs/%s/compare.pdf" % (_segment(id), ), {"with": with_, "language": language}, {}, None, "", True)

    def show_changes(self, id: str, *, from_: Optional[str] = None) -> Answer[Changes]:
        """See what changed."""
        return self._call("GET", "/api/v1/packs/%s/changes" % (_segment(id), ), {"from": from_}, {}, None, "", True)

    def list_pack_comments(self, id: str) -> Answer[Comments]:
        """List the comments on a pack. Oldest first, withdrawn ones too, with who resolved threads and reopened them. Comments are no part of pack.json or of an export."""
        return self._call("GET", "/api/v1/packs/%s/comments" % (_segment(id), ), {}, {}, None, "", True)

    def comment_on_pack(self, id: str, body: CommentInput, *, idempotency_key: Optional[str] = None) -> Answer[Comment]:
        """Comment on a pack. In whatever state the pack is. People of the tenant are addressed by @ and their whole name or login name, and notified. One that asks for an answer, and one that somebody replied to, is an open thread until it is resolved: an alarm at sign-off. thread names a comment to reply to; the people of a thread are notified. A thread has at most 100 replies, a pack at most 1,000 comments."""
        return self._call("POST", "/api/v1/packs/%s/comments" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def withdraw_pack_comment(self, id: str, comment: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Answer[Comment]:
        """Withdraw a comment on a pack. Only its author withdraws a comment. Its text stays, marked as withdrawn."""
        return self._call("POST", "/api/v1/packs/%s/comments/%s/withdraw" % (_segment(id), _segment(comment), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def resolve_pack_thread(self, id: str, comment: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Answer[Comment]:
        """Resolve a thread of comments on a pack. Whoever may comment may resolve an open thread. 409 if somebody has resolved it already, or it asks nothing. Its people are notified."""
        return self._call("POST", "/api/v1/packs/%s/comments/%s/resolve" % (_segment(id), _segment(comment), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def reopen_pack_thread(self, id: str, comment: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Answer[Comment]:
        """Reopen a thread of comments on a pack. Whoever may comment may reopen a resolved thread. 409 if it is open."""
        return self._call("POST", "/api/v1/packs/%s/comments/%s/reopen" % (_segment(id), _segment(comment), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def submit_pack(self, id: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[Pack]:
        """Submit a draft for review. Freezes pack.json. A draft that breaks rules is refused; errors lists all of them, and warnings what is worth a look."""
        return self._call("POST", "/api/v1/packs/%s/submit" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def approve_pack(self, id: str, body: ApprovalInput, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[Pack]:
        """Approve a pack. The last approval that is needed signs the pack off. Only for people who have not made or edited any version of it, with their password; a machine's token gets 403. With digest, only a pack with these bytes is approved. With for, a deputy approves for that person, whose seat it takes. Alarms that it does not acknowledge are answered 422 with their ids in missing."""
        return self._call("POST", "/api/v1/packs/%s/approve" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def show_waits(self, id: str) -> Answer[Waits]:
        """Read for whom a pack waits. Who may approve a pack in review and has not, and since when it waits. What waits for somebody who has a deputy waits for the deputy. Nobody waits for a pack that is not in review. ways are the ways in which you may approve it; with dead_end, nobody may give the approval that is then still needed, so that the pack could not be signed off."""
        return self._call("GET", "/api/v1/packs/%s/waits" % (_segment(id), ), {}, {}, None, "", True)

    def return_pack(self, id: str, body: ReasonInput, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[Pack]:
        """Return a pack to its authors. Only for people."""
        return self._call("POST", "/api/v1/packs/%s/return" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def link_session(self, id: str, body: SessionLinkInput, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[Pack]:
        """Link a review session to a draft. The draft copies the ledger of this session, and the originals of its documents become files. An empty session_id is the session that the decision names. If that one is here, no other is taken (409). The decision stays as it was received; mended in the answer names ledger_session_id."""
        return self._call("PUT", "/api/v1/packs/%s/session" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def attach_file(self, id: str, body: AttachmentInput, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[Pack]:
        """Attach a file to a draft. A PDF, a picture (PNG, JPEG, GIF, WebP) or plain text of at most 10 MiB; the type is found by the content. What a browser could run, such as SVG, is refused. Or, in place of content, the file of a version of a document of the library, which both keep once, of at most 10 MiB too: the library's kinds are taken as they are, HTML and mails among them, and name, by default that of the file, may not end as another kind's."""
        return self._call("POST", "/api/v1/packs/%s/attachments" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def detach_file(self, id: str, body: Optional[Dict[str, Any]] = None, *, sha256: Optional[str] = None, reason: Optional[str] = None, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[Pack]:
        """Remove a file from a draft."""
        return self._call("DELETE", "/api/v1/packs/%s/attachments" % (_segment(id), ), {"sha256": sha256, "reason": reason}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def decide_departure(self, id: str, body: DepartureInput, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[Pack]:
        """Decide whether a tool call departed from its intent. Where its words can't tell (departure.result is cannot_tell). Only for people; until then the call counts as unverified."""
        return self._call("POST", "/api/v1/packs/%s/departures" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def discard_pack(self, id: str, body: ReasonInput, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[Pack]:
        """Discard a draft. It stays readable and is never signed; the decision may get another draft."""
        return self._call("POST", "/api/v1/packs/%s/discard" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def draft_pdf(self, id: str, *, language: Optional[Literal["en", "ar"]] = None) -> Answer[bytes]:
        """Read a pack as a PDF before it is signed. Each page says that it is a draft, not signed. 409 once the pack is signed off."""
        return self._call("GET", "/api/v1/packs/%s/draft.pdf" % (_segment(id), ), {"language": language}, {}, None, "", True)

    def show_pack_due(self, id: str, *, if_none_match: Optional[str] = None) -> Answer[Union[Due, None]]:
        """Read the due date of a pack. due_on is null if none is set. That day ends at midnight in time_zone, at the instant late_at."""
        return self._call("GET", "/api/v1/packs/%s/due" % (_segment(id), ), {}, {"If-None-Match": if_none_match}, None, "", True)

    def set_pack_due(self, id: str, body: DueInput, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[Due]:
        """Set, change or remove the due date of a pack. Reviewers and above set it, until the pack is signed. due_on is a day from today to ten years ahead; it ends at midnight of the time zone that the tenant has when it is set (time_zone in the answer; UTC by default). null removes the date. The ETag is that of the due date, also of one that was never set."""
        return self._call("PUT", "/api/v1/packs/%s/due" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def show_envelope(self, id: str) -> Answer[PackEnvelope]:
        """Read the signed envelope. 404 until the pack is signed off."""
        return self._call("GET", "/api/v1/packs/%s/dsse" % (_segment(id), ), {}, {}, None, "", True)

    def prove_part(self, id: str, kind: Literal["claim", "set_aside", "excerpt", "memo", "tool_call"], part: str) -> Answer[PackProof]:
        """Prove one part. A proof that one part is in the signed pack. It can be verified without the pack."""
        return self._call("GET", "/api/v1/packs/%s/proofs/%s/%s" % (_segment(id), _segment(kind), _segment(part), ), {}, {}, None, "", True)

    def redact_pack(self, id: str, body: RedactionInput) -> Answer[PackRedacted]:
        """Make a redacted copy. The rest still verifies. Each copy is recorded in the audit log."""
        return self._call("POST", "/api/v1/packs/%s/redacted" % (_segment(id), ), {}, {}, _json(body), "application/json", False)

    def get_erased_pack(self, id: str) -> Answer[PackErased]:
        """Read what is kept of an erased pack. The envelope of its signed statement and the hash of each part; `sanad verify` takes it. 404 for a pack that was not erased."""
        return self._call("GET", "/api/v1/packs/%s/erased" % (_segment(id), ), {}, {}, None, "", True)

    def export_pack(self, id: str, body: PackExportInput, *, idempotency_key: Optional[str] = None) -> Answer[Union[Link, Export]]:
        """Export a pack, or ask for a copy. The formats are zip, json, markdown and pdf. Approvers get a link at once; for all others this asks for a copy."""
        return self._call("POST", "/api/v1/packs/%s/export" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def list_exports(self, *, waiting: Optional[bool] = None, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[ListExportsAnswer]:
        """List requests for copies. The caller's own requests, or those that wait."""
        return self._call("GET", "/api/v1/pack-exports", {"waiting": waiting, "limit": limit, "after": after}, {}, None, "", True)

    def grant_export(self, id: str, body: PasswordInput, *, idempotency_key: Optional[str] = None) -> Answer[Export]:
        """Grant a copy. For requests of others, and only for people."""
        return self._call("POST", "/api/v1/pack-exports/%s/grant" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def refuse_export(self, id: str, body: ReasonInput, *, idempotency_key: Optional[str] = None) -> Answer[Export]:
        """Refuse a copy. For requests of others."""
        return self._call("POST", "/api/v1/pack-exports/%s/refuse" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def link_export(self, id: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Answer[Link]:
        """Fetch the link of a granted copy. For the caller's own request, once."""
        return self._call("POST", "/api/v1/pack-exports/%s/link" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def reading_pdf(self, id: str, *, language: Optional[Literal["en", "ar"]] = None) -> Answer[bytes]:
        """Read a signed pack as a PDF in one language. A rendering beside the signed file, which stays as it is; its cover says so."""
        return self._call("GET", "/api/v1/packs/%s/reading.pdf" % (_segment(id), ), {"language": language}, {}, None, "", True)

    def hold_pack(self, id: str, body: ReasonInput, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[Pack]:
        """Put a pack under legal hold."""
        return self._call("POST", "/api/v1/packs/%s/hold" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def lift_hold(self, id: str, body: ReasonInput, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[Union[Pack, APIChange]]:
        """Lift a legal hold."""
        return self._call("POST", "/api/v1/packs/%s/hold/lift" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def ask_purge(self, id: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Answer[Purge]:
        """Ask for a purge. A dry run: nothing is deleted before a second person confirms. Possible only after retain_until, and never under a legal hold."""
        return self._call("POST", "/api/v1/packs/%s/purge" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def list_purges(self) -> Answer[Purges]:
        """List purges."""
        return self._call("GET", "/api/v1/pack-purges", {}, {}, None, "", True)

    def confirm_purge(self, id: str, body: PasswordInput, *, idempotency_key: Optional[str] = None) -> Answer[PackTombstone]:
        """Confirm a purge. By a second person: the pack is deleted, its tombstone stays."""
        return self._call("POST", "/api/v1/pack-purges/%s/confirm" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def refuse_purge(self, id: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Answer[None]:
        """Refuse a purge."""
        return self._call("POST", "/api/v1/pack-purges/%s/refuse" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def list_webhooks(self) -> Answer[ListWebhooksAnswer]:
        """List webhooks. Newest first; there are at most 20."""
        return self._call("GET", "/api/v1/webhooks", {}, {}, None, "", True)

    def create_webhook(self, body: WebhookInput) -> Answer[WebhookSecret]:
        """Add a webhook. The secret is only in this answer, so the call takes no Idempotency-Key. 409 if there are 20 already; 422 for an address that can never be reached: a literal private one, or http, unless the operator allows its network."""
        return self._call("POST", "/api/v1/webhooks", {}, {}, _json(body), "application/json", False)

    def show_webhook(self, id: str) -> Answer[Webhook]:
        """Read a webhook."""
        return self._call("GET", "/api/v1/webhooks/%s" % (_segment(id), ), {}, {}, None, "", True)

    def edit_webhook(self, id: str, body: WebhookChangeInput, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[Webhook]:
        """Change a webhook. Fields that are left out stay unchanged. A disabled webhook gets no more messages, and its waiting ones are dropped."""
        return self._call("PATCH", "/api/v1/webhooks/%s" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def remove_webhook(self, id: str, *, idempotency_key: Optional[str] = None) -> Answer[None]:
        """Remove a webhook."""
        return self._call("DELETE", "/api/v1/webhooks/%s" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None, "", True)

    def rotate_webhook(self, id: str, body: Optional[Dict[str, Any]] = None) -> Answer[WebhookSecret]:
        """Create a new secret. It is used from the next attempt on; the old one is not used any more."""
        return self._call("POST", "/api/v1/webhooks/%s/rotate" % (_segment(id), ), {}, {}, None if body is None else _json(body), "" if body is None else "application/json", False)

    def test_webhook(self, id: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Answer[Queued]:
        """Send test event. Queues a message of the kind webhook.test behind the others. 409 if the webhook is disabled."""
        return self._call("POST", "/api/v1/webhooks/%s/test" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def list_deliveries(self, id: str, *, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[ListDeliveriesAnswer]:
        """List a webhook's messages. Newest first: those that wait, and the last 100 that ended."""
        return self._call("GET", "/api/v1/webhooks/%s/deliveries" % (_segment(id), ), {"limit": limit, "after": after}, {}, None, "", True)

    def list_model_endpoints(self) -> Answer[ListModelEndpointsAnswer]:
        """List the endpoints that judge sessions. By name; there are at most 50. Keys are never shown. The models whose answers are reviewed are under /stats/models."""
        return self._call("GET", "/api/v1/models", {}, {}, None, "", True)

    def create_model_endpoint(self, body: ModelEndpointInput, *, idempotency_key: Optional[str] = None) -> Answer[ModelEndpoint]:
        """Add an endpoint that judges sessions. The key is stored sealed and never shown again. An address is shown, so one with a user, a password or a query that looks like a secret is refused with 422; a part of its path that looks like one is shown as ***. 422 also for one that this server would send nothing to: without TLS or not public, unless the operator allows its network. 409 if there are 50 already."""
        return self._call("POST", "/api/v1/models", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def show_model_endpoint(self, id: str) -> Answer[ModelEndpoint]:
        """Read an endpoint that judges sessions. With what was spent on it today, in UTC, and what people made of its words: `measured` counts each claim that people settled once. `lower_bound` is the lower bound of the share that was right, with 95 % confidence, null below 10 reviews."""
        return self._call("GET", "/api/v1/models/%s" % (_segment(id), ), {}, {}, None, "", True)

    def edit_model_endpoint(self, id: str, body: ModelEndpointChangeInput, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[ModelEndpoint]:
        """Change an endpoint that judges sessions. Fields that are left out stay unchanged. A key of '' removes the stored one; an address at another host needs the key again. An address is held to the rules of a new one; a secret in a stored one is shown as ***, and stays where that is sent back."""
        return self._call("PATCH", "/api/v1/models/%s" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def remove_model_endpoint(self, id: str, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[None]:
        """Remove an endpoint that judges sessions."""
        return self._call("DELETE", "/api/v1/models/%s" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, None, "", True)

    def take_measured_trust(self, id: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[ModelEndpoint]:
        """Take over the trust that reviews measured. Sets `trust_supported` and `trust_contradicted` to the lower bounds in `measured`; a word with fewer than 10 reviews stays as it is. 409 if neither has enough. The log says on how many reviews they stand."""
        return self._call("POST", "/api/v1/models/%s/trust" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def test_model_endpoint(self, id: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Answer[ModelTried]:
        """Ask an endpoint one small question. A fixed question that has no word of the organisation. What came is in the answer, also if the endpoint failed: fault is then its code, and text what it means and what mends it. A disabled endpoint can be tested too. An endpoint for embeddings is asked for the vectors of three fixed sentences. Where tests are not set up, the fault is untried. After more than three tests in a short time 429, with Retry-After."""
        return self._call("POST", "/api/v1/models/%s/test" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def list_bundles(self, *, run_id: Optional[str] = None, evidence_id: Optional[str] = None, content_sha256: Optional[str] = None, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[ListBundlesAnswer]:
        """List evidence bundles. Newest first."""
        return self._call("GET", "/api/v1/bundles", {"run_id": run_id, "evidence_id": evidence_id, "content_sha256": content_sha256, "limit": limit, "after": after}, {}, None, "", True)

    def build_bundle(self, body: BundleInput, *, idempotency_key: Optional[str] = None) -> Answer[Bundle]:
        """Build an evidence bundle. Bounded, redacted, and the same for the same input. The artifact lists what could not be read or did not fit."""
        return self._call("POST", "/api/v1/bundles", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def show_bundle(self, id: str) -> Answer[Bundle]:
        """Read an evidence bundle."""
        return self._call("GET", "/api/v1/bundles/%s" % (_segment(id), ), {}, {}, None, "", True)

    def replay_bundle(self, id: str) -> Answer[BundleComparison]:
        """Build a bundle again and compare. By the build_version and the policy that it names, from what its record and the lake keep: artifacts are loaded again, texts that came with the request are those of the record. The text of an item that was dropped is not kept (not_kept). Nothing is stored."""
        return self._call("GET", "/api/v1/bundles/%s/replay" % (_segment(id), ), {}, {}, None, "", True)

    def replay_bundle_from(self, id: str, body: BundleInput) -> Answer[BundleComparison]:
        """Build a bundle again from its request and compare. The request's policy is that of the bundle, whatever is sent. Nothing is stored."""
        return self._call("POST", "/api/v1/bundles/%s/replay" % (_segment(id), ), {}, {}, _json(body), "application/json", False)

    def list_bundle_runs(self, id: str) -> Answer[LinkedRuns]:
        """List the runs that were given a bundle. The newest 100 of them, newest first: judge runs with their session, and ids of runs that callers gave. total says how many there are."""
        return self._call("GET", "/api/v1/bundles/%s/runs" % (_segment(id), ), {}, {}, None, "", True)

    def link_run(self, id: str, body: RunInput, *, idempotency_key: Optional[str] = None) -> Answer[Run]:
        """Record that a run was given a bundle."""
        return self._call("POST", "/api/v1/bundles/%s/runs" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def read_artifact(self, path: str) -> Answer[bytes]:
        """Read an artifact of the lake."""
        return self._call("GET", "/api/v1/lake/%s" % (_segment(path, "/"), ), {}, {}, None, "", True)

    def write_artifact(self, path: str, body: bytes) -> Answer[Artifact]:
        """Write an artifact into the lake, once. At most 64 MiB of any type, and not below `evidence/`. Other bytes under the same path are refused (409)."""
        return self._call("PUT", "/api/v1/lake/%s" % (_segment(path, "/"), ), {}, {}, body, "application/octet-stream", True)

    def list_library(self, *, q: Optional[str] = None, folder: Optional[str] = None, tag: Optional[str] = None, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[ListLibraryAnswer]:
        """List and search the documents of the library. By name. The id is what library names in a document of a session."""
        return self._call("GET", "/api/v1/library", {"q": q, "folder": folder, "tag": tag, "limit": limit, "after": after}, {}, None, "", True)

    def add_library_document(self, body: LibraryDocumentInput, *, idempotency_key: Optional[str] = None) -> Answer[LibraryDocument]:
        """Add a document to the library. Its text, or its file as a form. A file that the library has already is refused (409), with the id of its document."""
        return self._call("POST", "/api/v1/library", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def add_library_document_form(self, *, name: Optional[Union[str, Upload]] = None, folder: Optional[Union[str, Upload]] = None, tags: Optional[Union[str, Upload]] = None, file: Optional[Upload] = None, idempotency_key: Optional[str] = None) -> Answer[LibraryDocument]:
        """Add a document to the library. Its text, or its file as a form. A file that the library has already is refused (409), with the id of its document. This sends a form with files."""
        parts: Dict[str, Any] = {"name": name, "folder": folder, "tags": tags, "file": file}
        sent, media = _form(parts, ["name", "folder", "tags"])
        return self._call("POST", "/api/v1/library", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, sent, media, True)

    def show_library_document(self, id: str, *, if_none_match: Optional[str] = None) -> Answer[Union[LibraryWholeDocument, None]]:
        """Read a document of the library with its versions. The newest version first."""
        return self._call("GET", "/api/v1/library/%s" % (_segment(id), ), {}, {"If-None-Match": if_none_match}, None, "", True)

    def change_library_document(self, id: str, body: LibraryDocumentChangeInput, *, idempotency_key: Optional[str] = None, if_match: str) -> Answer[LibraryDocument]:
        """Rename a document, or change its folder or tags. Fields that are left out stay unchanged; tags replace all of the document's. It makes no version, and sessions keep the name by which they took the document."""
        return self._call("PATCH", "/api/v1/library/%s" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def add_library_version(self, id: str, body: LibraryVersionInput, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[LibraryDocument]:
        """Add a newer version of a document. It changes no session and no pack: listLibraryUses says what rests on the older versions. A file that the library has already is refused (409)."""
        return self._call("POST", "/api/v1/library/%s/versions" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, _json(body), "application/json", True)

    def add_library_version_form(self, id: str, *, file: Optional[Upload] = None, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Answer[LibraryDocument]:
        """Add a newer version of a document. It changes no session and no pack: listLibraryUses says what rests on the older versions. A file that the library has already is refused (409). This sends a form with files."""
        parts: Dict[str, Any] = {"file": file}
        sent, media = _form(parts, [])
        return self._call("POST", "/api/v1/library/%s/versions" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match}, sent, media, True)

    def read_library_file(self, id: str, n: int) -> Answer[bytes]:
        """Read the file of a version."""
        return self._call("GET", "/api/v1/library/%s/versions/%s" % (_segment(id), _segment(n), ), {}, {}, None, "", True)

    def list_library_uses(self, id: str, *, version: Optional[int] = None, limit: Optional[int] = None, after: Optional[str] = None) -> Answer[LibraryUses]:
        """List what rests on a document of the library. Sessions with the packs that refer to them, those of the newest version first. Of an older version, cited says what became of the passages that claims cite in the newest one. sessions and packs count all. attached, on the first page, are packs that have a version as a file and no session that rests on it; attached_more says that they are more than the 1000 listed."""
        return self._call("GET", "/api/v1/library/%s/uses" % (_segment(id), ), {"version": version, "limit": limit, "after": after}, {}, None, "", True)

    def list_erasures(self) -> Answer[ListErasuresAnswer]:
        """List erasures. Those that wait for a second person first, then the newest; at most 100."""
        return self._call("GET", "/api/v1/erasures", {}, {}, None, "", True)

    def ask_erasure(self, body: ErasureInput, *, idempotency_key: Optional[str] = None) -> Answer[Erasure]:
        """Request an erasure. Nothing is deleted before a second person confirms. With dry_run nothing is stored either: the answer says what would go, and obstacles what stands in the way. 409 names what stands in the way: a legal hold, a pack in review, a pack that refers to it. The id of an artifact is its path in the lake, that of an upload its job's."""
        return self._call("POST", "/api/v1/erasures", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def get_erasure(self, id: str) -> Answer[Erasure]:
        """Read an erasure."""
        return self._call("GET", "/api/v1/erasures/%s" % (_segment(id), ), {}, {}, None, "", True)

    def confirm_erasure(self, id: str, body: ProofInput, *, idempotency_key: Optional[str] = None) -> Answer[Erasure]:
        """Confirm an erasure. By a second person, at least an approver: the content is deleted at once. The status is erasing while files or traces in the database remain, and done after that."""
        return self._call("POST", "/api/v1/erasures/%s/confirm" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def refuse_erasure(self, id: str, body: Optional[Dict[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Answer[Erasure]:
        """Refuse an erasure."""
        return self._call("POST", "/api/v1/erasures/%s/refuse" % (_segment(id), ), {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, None if body is None else _json(body), "" if body is None else "application/json", True)

    def list_legal_holds(self) -> Answer[ListLegalHoldsAnswer]:
        """List legal holds. Those in force on sessions and documents; a pack says its own."""
        return self._call("GET", "/api/v1/legal-holds", {}, {}, None, "", True)

    def change_legal_hold(self, body: HoldInput, *, idempotency_key: Optional[str] = None) -> Answer[Union[Hold, APIChange]]:
        """Set or lift a legal hold. On a session, which keeps its documents too, or on a document. Where a second administrator is required, lifting one waits for that one: 202."""
        return self._call("POST", "/api/v1/legal-holds", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def get_retention(self) -> Answer[Retention]:
        """Read the retention periods. With what is due: a dry run of the next hourly pass. What an obstacle keeps is listed with it."""
        return self._call("GET", "/api/v1/retention", {}, {}, None, "", True)

    def set_retention(self, body: PeriodsInput, *, idempotency_key: Optional[str] = None) -> Answer[Union[Retention, APIChange]]:
        """Set the retention periods. In days since something was stored, 0 for no period. Kinds that are not named keep theirs. What is due is erased by the next hourly pass, without a second person. With dry_run nothing is stored: due lists what these periods would end for. Where a second administrator is required, a new or shorter period needs a reason and waits for that one: 202."""
        return self._call("PUT", "/api/v1/retention", {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}, _json(body), "application/json", True)

    def list_traces(self) -> Answer[ListTracesAnswer]:
        """List live traces. The 100 traces that a span came in for last, newest first. state is gathering, session, decision, nothing or failed; cause says why nothing was made. Spans are sent to POST /v1/traces by OTLP."""
        return self._call("GET", "/api/v1/traces", {}, {}, None, "", True)

    def show_trace_rules(self) -> Answer[Rules]:
        """Read the rules of live traces. The first rule that fits a trace decides what becomes of it. default says that nobody has set any."""
        return self._call("GET", "/api/v1/trace-rules", {}, {}, None, "", True)

    def put_trace_rules(self, body: RulesInput, *, if_match: str) -> Answer[Rules]:
        """Replace the rules of live traces. They hold for traces that are complete from then on. service is a name, in which * stands for any letters; share_percent (100 if left out) of the traces that a rule fits become what it says, the others nothing. An empty list makes nothing of any trace."""
        return self._call("PUT", "/api/v1/trace-rules", {}, {"If-Match": if_match}, _json(body), "application/json", True)



class APIChange(TypedDict):
    """"""

    change_id: str
    kind: str
    object: str
    role: str
    version: int
    on: bool
    reason: str
    status: str
    asked_by: str
    asked_at: str
    expires_at: str
    decided_by: str
    decided_at: Union[str, None]


class AccountChange(TypedDict):
    """"""

    at: str
    action: str
    actor: str
    actor_name: str
    own: bool


class ActionWords(TypedDict):
    """"""

    intended: str
    actual: str


class ActionWordsInput(TypedDict, total=False):
    """"""

    intended: str
    actual: str


class AddInput(TypedDict, total=False):
    """"""

    documents: List[DocumentInput]


class Added(TypedDict):
    """"""

    run: RunRow
    revision: int
    ledger_url: str
    documents: List[AddedDocument]
    warnings: List[Warning]


class AddedDocument(TypedDict):
    """"""

    document_id: str
    id: str
    filename: str


class AgeBand(TypedDict):
    """"""

    min_days: int
    max_days: Union[int, None]  # null for no end.
    sessions: int
    more: bool  # The count stopped at sessions: there are that many or more.
    oldest: Union[OpenSession, None]  # null where there is none.


class Agreement(TypedDict):
    """"""

    both: int  # Claims that both have decided.
    same: int  # Of those, with the same verdict at first.
    kappa: Union[float, None]  # Cohen's; null below 30 claims.


class Agreements(TypedDict):
    """"""

    runs: int
    runs_read: int  # The newest, whose verdicts are compared.
    claims: int
    more: bool  # The session has more claims; only the first 10,000 are compared.
    differing: int  # Claims of which two verdicts are different.
    raters: List[RaterCount]
    pairs: List[RaterPair]


class _AlarmRequired(TypedDict):
    id: str
    kind: str
    object: str
    text: str
    text_ar: str


class Alarm(_AlarmRequired, total=False):
    """"""

    claims: List[str]


class _AnswerChangeRequired(TypedDict):
    change: str
    from_number: int
    to_number: int
    from_verdict: Literal["supported", "weak", "contradicted", "not_found", None]
    to_verdict: Literal["supported", "weak", "contradicted", "not_found", None]


class AnswerChange(_AnswerChangeRequired, total=False):
    """"""

    from_text: str
    to_text: str


class AnswerRow(TypedDict):
    """"""

    version: int
    session_id: str
    created_at: str
    claims: int
    new_claims: int
    ledger_url: str


_ApprovalInputRequired = TypedDict("_ApprovalInputRequired", {"password": 'str', })
_ApprovalInputOptional = TypedDict("_ApprovalInputOptional", {"code": 'str', "comment": 'str', "digest": 'str', "for": 'str', "acknowledged": 'List[str]', }, total=False)


class ApprovalInput(_ApprovalInputRequired, _ApprovalInputOptional):
    """"""


class Artifact(TypedDict):
    """"""

    path: str
    sha256: str
    size: int


class AssignInput(TypedDict, total=False):
    """"""

    whose: str
    how: Literal["turns", "load", "shares", "nobody"]
    to: List[TakerInput]
    dry_run: bool
    most: int
    sessions: List[str]


class _AssignedRequired(TypedDict):
    assigned: int
    people: List[Assignee]
    left_out: Unassigned


class Assigned(_AssignedRequired, total=False):
    """"""

    dry_run: bool


class Assignee(TypedDict):
    """"""

    id: str
    name: str
    sessions: int


class Attached(TypedDict):
    """"""

    actor: str
    at: str


class AttachmentInput(TypedDict, total=False):
    """"""

    name: str  # Needed with content; of a file of the library its own name by default.
    content: str  # In base64; this or library.
    reason: str
    library: str  # Id of a document of the library.
    library_version: int  # Its version; 0 or none for the newest.


class Batch(TypedDict):
    """"""

    created: int
    existing: int
    refused: int
    results: List[BatchItem]


class BatchInput(TypedDict, total=False):
    """"""

    sessions: List[Any]


class BatchItem(TypedDict):
    """"""

    index: int
    status: int
    session: Union[Session, None]
    error: Union[BatchRefusal, None]


class BatchRefusal(TypedDict):
    """"""

    path: str
    detail: str


class _BulkAnswerRequired(TypedDict):
    action: str
    batch_id: str
    claims: List[int]  # By their numbers, from 1.
    skipped: BulkSkipped
    revision: int


class BulkAnswer(_BulkAnswerRequired, total=False):
    """"""

    dry_run: bool


class _BulkInputRequired(TypedDict):
    action: str  # confirm or undo.


class BulkInput(_BulkInputRequired, total=False):
    """"""

    filter: ClaimFilterInput
    claims: List[int]
    dry_run: bool
    batch_id: str  # For undo: the step to take back.


class BulkSkipped(TypedDict):
    """"""

    unjudged: List[int]  # There is no verdict to confirm.
    decided: List[int]  # Reviewed already.
    spared: List[int]


class Bundle(TypedDict):
    """"""

    bundle_id: str
    created_utc: str
    build_version: str
    policy: BundlePolicy
    items: List[BundleItem]
    summary: BundleSummary
    dropped_items: List[BundleDropped]
    failed_sources: List[BundleFailed]


class _BundleBoundingRequired(TypedDict):
    applied: bool
    original_count: int
    final_count: int
    items_dropped: int
    total_bytes: int


class BundleBounding(_BundleBoundingRequired, total=False):
    """"""

    note: str


class BundleChunk(TypedDict):
    """"""

    index: int
    count: int
    start: int
    end: int


class _BundleComparedRequired(TypedDict):
    outcome: str
    source_ref: BundleSourceRef


class BundleCompared(_BundleComparedRequired, total=False):
    """"""

    evidence_id: str
    evidence_type: str
    path: str
    was: str
    now: str
    reason: str
    differs: List[BundleDifference]


class BundleComparison(TypedDict):
    """"""

    bundle_id: str
    build_version: str
    input: str
    equal: bool
    built_bundle_id: str
    record_holds: bool
    counts: Dict[str, int]
    sources: List[BundleCompared]


class BundleDifference(TypedDict):
    """"""

    field: str
    was: str
    now: str


class BundleDropped(TypedDict):
    """"""

    evidence_id: str
    evidence_type: str
    source_ref: BundleSourceRef
    byte_count: int
    content_sha256: str
    reason: str


class _BundleFailedRequired(TypedDict):
    path: str
    source_ref: BundleSourceRef
    reason: str


class BundleFailed(_BundleFailedRequired, total=False):
    """"""

    evidence_type: str


class _BundleFullRefRequired(TypedDict):
    lake_uri: str
    size: int
    sha256: str


class BundleFullRef(_BundleFullRefRequired, total=False):
    """"""

    row_count: int
    col_count: int


class _BundleHTTPMetaRequired(TypedDict):
    status: int


class BundleHTTPMeta(_BundleHTTPMetaRequired, total=False):
    """"""

    masked_headers: List[str]


class BundleInput(TypedDict, total=False):
    """"""

    job_input: Dict[str, Any]  # extra_params.evidence is a list of {text, source_uri}.
    evidence_refs: Dict[str, Any]  # lake_text, lake_http, sql_results, sql_query_defs, documents, transcripts.
    policy: Dict[str, Any]  # What is left out has its default.
    run_id: str  # Of the run that is given the bundle.


class _BundleItemRequired(TypedDict):
    evidence_id: str
    evidence_type: str
    source_ref: BundleSourceRef
    content: str
    content_sha256: str
    byte_count: int
    metadata: BundleMetadata


class BundleItem(_BundleItemRequired, total=False):
    """"""

    full_ref: BundleFullRef


class _BundleItemBoundingRequired(TypedDict):
    applied: bool
    original_size: int
    bounded_size: int


class BundleItemBounding(_BundleItemBoundingRequired, total=False):
    """"""

    truncation_point: int
    note: str


class _BundleMetadataRequired(TypedDict):
    bounding: BundleItemBounding


class BundleMetadata(_BundleMetadataRequired, total=False):
    """"""

    redaction: BundleRedaction
    sampling: BundleSampling
    chunk: BundleChunk
    http: BundleHTTPMeta
    invalid_utf8_replaced: int


class BundlePolicy(TypedDict):
    """"""

    max_items: int
    max_total_bytes: int
    max_item_bytes: int
    max_sql_rows: int
    max_sql_cols: int
    sampling_strategy: str
    chunk_size: int
    chunk_overlap: int
    enable_redaction: bool


class _BundleRedactionRequired(TypedDict):
    applied: bool
    profile: str


class BundleRedaction(_BundleRedactionRequired, total=False):
    """"""

    kinds: Dict[str, int]


class BundleRow(TypedDict):
    """"""

    bundle_id: str
    created_at: Union[str, None]
    item_count: int
    total_bytes: int
    approx_tokens: int
    type_counts: Dict[str, int]
    redacted: bool
    items_dropped: int
    failed_sources: int
    runs: int
    lake_uri: str


class _BundleSamplingRequired(TypedDict):
    strategy: str
    rows_total: int
    rows_shown: int
    rows_left_out: int
    cols_total: int
    cols_shown: int


class BundleSampling(_BundleSamplingRequired, total=False):
    """"""

    row_ranges: List[List[int]]
    step: int
    columns_left_out: List[str]


class BundleSourceRef(TypedDict, total=False):
    """"""

    source_uri: str
    lake_uri: str
    query_key: str
    document_id: str


class BundleSummary(TypedDict):
    """"""

    item_count: int
    type_counts: Dict[str, int]
    total_bytes: int
    approx_tokens: int
    bundle_bounding: BundleBounding


class ByImportance(TypedDict):
    """"""

    critical: int
    material: int
    minor: int


class ByVerdict(TypedDict):
    """"""

    supported: int
    weak: int
    contradicted: int
    not_found: int


class Call(TypedDict):
    """"""

    decision_id: str
    id: str


class Change(TypedDict):
    """"""

    number: int
    claim_id: str
    from_verdict: Literal["supported", "weak", "contradicted", "not_found", None]
    to_verdict: Literal["supported", "weak", "contradicted", "not_found", None]
    from_confidence: float
    to_confidence: float
    evidence_gained: List[Stance]
    evidence_lost: List[Stance]
    stale_reviews: int


class ChangeShown(TypedDict):
    """"""

    change_id: str
    kind: str
    object: str
    role: str
    version: int
    on: bool
    reason: str
    status: str
    asked_by: str
    asked_at: str
    expires_at: str
    decided_by: str
    decided_at: Union[str, None]
    policy: Union[PackPolicy, None]
    days: Dict[str, int]


_ChangesRequired = TypedDict("_ChangesRequired", {"from": 'str', "to": 'str', "unchanged": 'bool', "claims": 'Claims', "sources": 'Sources', "memo": 'List[MemoChange]', "decision": 'List[FieldChange]', "tool_calls": 'List[ItemChange]', "prompts": 'List[ItemChange]', "attachments": 'List[ItemChange]', "policy": 'List[FieldChange]', })
_ChangesOptional = TypedDict("_ChangesOptional", {}, total=False)


class Changes(_ChangesRequired, _ChangesOptional):
    """"""


class _ChunkInputRequired(TypedDict):
    text: str  # the words of the chunk


class ChunkInput(_ChunkInputRequired, total=False):
    """"""

    id: str
    page_number: Union[int, None]
    kind: str
    heading_path: List[str]
    start: Union[int, None]
    end: Union[int, None]
    scanned: bool
    doubtful: List[DoubtInput]


class _CitationRequired(TypedDict):
    chunk_hash: str
    resolved: bool
    ambiguous: bool
    chunks: List[Place]


class Citation(_CitationRequired, total=False):
    """"""

    error: str


class _CitationAnswerRequired(TypedDict):
    chunk_hash: str
    resolved: bool
    ambiguous: bool
    chunks: List[Place]
    chunk: Union[CitedChunk, None]


class CitationAnswer(_CitationAnswerRequired, total=False):
    """"""

    error: str


class _CitationCheckRequired(TypedDict):
    anchor: str
    status: str
    cited_chunk: str


class CitationCheck(_CitationCheckRequired, total=False):
    """"""

    cited_document_id: str
    whole_document: bool
    supporting_chunk: str
    supporting_document_id: str


class _CitedChunkRequired(TypedDict):
    document_id: str
    filename: str
    chunk_id: str
    position: int
    digest: str
    text: str


class CitedChunk(_CitedChunkRequired, total=False):
    """"""

    session_id: str
    page: int
    heading_path: List[str]


class ClaimChange(TypedDict):
    """"""

    claim_id: str
    number: int
    claim_text: str
    old_verdict: Literal["supported", "weak", "contradicted", "not_found", None]
    new_verdict: Literal["supported", "weak", "contradicted", "not_found", None]


class ClaimFigures(TypedDict):
    """"""

    claims: int
    supported: int
    weak: int
    contradicted: int
    not_found: int
    unjudged: int
    wrong: ClaimShare  # Contradicted or not found, of all judged claims.
    wrong_by_people: ClaimShare  # Contradicted or not found, of the claims that people settled.
    overridden: ClaimShare  # Another verdict than the judge's, of the claims that both have judged.


class ClaimFilterInput(TypedDict, total=False):
    """"""

    verdict: Literal["supported", "weak", "contradicted", "not_found"]
    tier: Literal["likely", "doubtful"]
    claim_type: Literal["fact", "policy", "numeric", "definition"]
    importance: Literal["critical", "material", "minor"]
    flag: Literal["missing_evidence", "contradiction", "outdated_source", "ambiguous_evidence", "conflicting_sources", "low_confidence", "miscitation", "invented_quotation", "struck_or_hidden", "doubtful_reading"]
    citation: str
    quotation: str
    flagged: bool
    unreviewed: bool
    unsettled: bool
    differs: bool
    threads: bool
    uncited: bool
    stale: bool
    aside: Literal["unreviewed", "confirmed", "overridden", "needs_evidence", "not_a_claim", "replaced"]
    q: str


class _ClaimInputRequired(TypedDict):
    claim_text: str  # the statement that is claimed


class ClaimInput(_ClaimInputRequired, total=False):
    """"""

    claim_id: str
    claim_type: str
    importance: str
    requires_citation: Union[bool, None]
    start_offset: Union[int, None]
    end_offset: Union[int, None]


class ClaimShare(TypedDict):
    """"""

    claims: int
    of: int
    low: float  # The lower bound of the 95 % score interval (Wilson).
    high: float


class Claims(TypedDict):
    """"""

    added: List[ClaimChange]
    dropped: List[ClaimChange]
    flipped: List[ClaimChange]
    reviewed: List[ClaimChange]


class CloseInput(TypedDict, total=False):
    """"""

    reason: str


class Closed(TypedDict):
    """"""

    at: str
    by: str
    reason: str


class Comment(TypedDict):
    """"""

    id: str
    author_id: str
    author: str
    at: str
    text: str
    mentions: List[Mention]
    withdrawn_at: Union[str, None]
    action: Literal["confirm", "override", "edit", "comment", "needs_evidence", "undo", "not_a_claim", "replace", "resolve", "reopen"]
    asks: bool
    thread: Union[str, None]
    open: Union[bool, None]


class CommentInput(TypedDict, total=False):
    """"""

    text: str
    asks: bool
    thread: str


class Comments(TypedDict):
    """"""

    comments: List[Comment]
    open_threads: int


class Compared(TypedDict):
    """"""

    about: str
    relation: str
    claim: Union[str, None]
    source: Union[str, None]


class Comparison(TypedDict):
    """"""

    machine_verdict: Literal["supported", "weak", "contradicted", "not_found"]
    verdict: Literal["supported", "weak", "contradicted", "not_found"]  # The effective one, by a person.
    claims: int


class _ConcernRequired(TypedDict):
    kind: str
    n: int
    text: str
    text_ar: str


class Concern(_ConcernRequired, total=False):
    """"""

    of: int
    objects: List[str]


class ConfirmInput(TypedDict, total=False):
    """"""

    password: str
    code: str


class Conflict(TypedDict):
    """"""

    kind: str
    claim: str
    evidence: str


class CountedOver(TypedDict):
    """"""

    since: str
    sessions: int
    more: bool  # Older sessions of the period were left out.


class _DecisionRequired(TypedDict):
    decision_id: str
    requirement: PackRequirement


class Decision(_DecisionRequired, total=False):
    """"""

    warnings: List[Warning]


class _DecisionFileInputRequired(TypedDict):
    decision_id: str
    entity_id: str
    agent_name: str
    model: str
    model_version: str
    decided_at: str
    title: str
    statement: str
    approval_class: str
    reversibility_class: str
    sensitivity_class: str
    confidence: Union[float, None]


class DecisionFileInput(_DecisionFileInputRequired, total=False):
    """"""

    format: str
    statement_ar: str
    statement_en: str
    high_stakes: bool
    data_freshness_window_hours: Union[int, None]
    ledger_session_id: str
    trace_id: str
    evidence: List[PackEvidenceSourceInput]
    tool_calls: List[PackToolCallRecordInput]
    prompts: List[PackPromptRecordInput]
    replay: PackReplayInput
    memo: PackBilingualMemoInput
    sources: List[PackEvidenceSourceInput]


class _DecisionKeptRequired(TypedDict):
    decision_id: str
    entity_id: str
    agent_name: str
    model: str
    model_version: str
    decided_at: str
    title: str
    statement: str
    approval_class: str
    reversibility_class: str
    sensitivity_class: str
    confidence: Union[float, None]
    high_stakes: bool
    data_freshness_window_hours: Union[int, None]
    evidence: List[PackEvidenceSource]
    tool_calls: List[PackToolCallRecord]
    prompts: List[PackPromptRecord]
    requirement: PackRequirement
    missing_pack: bool
    created_at: Union[str, None]
    packs: List[PackRow]


class DecisionKept(_DecisionKeptRequired, total=False):
    """"""

    statement_ar: str
    statement_en: str
    ledger_session_id: str
    trace_id: str
    replay: PackReplay
    memo: PackBilingualMemo


class DecisionRow(TypedDict):
    """"""

    decision_id: str
    title: str
    agent_name: str
    entity_id: str
    effective_class: str
    requirement_level: Literal["mandatory", "recommended", "skip"]
    ledger_session_id: Union[str, None]
    decided_at: str
    created_at: Union[str, None]
    pack_id: Union[str, None]  # Of the newest pack about it.
    pack_status: Literal["draft", "in_review", "signed_off", "returned", "superseded", "discarded", None]
    missing_pack: bool  # It must have a pack and has none.


class Delivery(TypedDict):
    """"""

    delivery_id: str
    kind: str
    state: str
    attempts: int
    status: Union[int, None]
    reason: Union[str, None]
    created_at: str
    next_at: Union[str, None]
    ended_at: Union[str, None]


class Demand(TypedDict):
    """"""

    demanded: bool
    administrators: int
    able_to_confirm: int


class DepartureInput(TypedDict):
    """"""

    tool_call: int
    departed: Union[bool, None]
    reason: str


_DeputyRequired = TypedDict("_DeputyRequired", {"deputy_id": 'str', "user_id": 'str', "deputy": 'str', "from": 'str', "until": 'str', "set_by": 'str', "set_at": 'str', "ended_at": 'Union[str, None]', "holds": 'bool', })
_DeputyOptional = TypedDict("_DeputyOptional", {}, total=False)


class Deputy(_DeputyRequired, _DeputyOptional):
    """"""


class DeputyEndInput(TypedDict, total=False):
    """"""

    password: str
    code: str


_DeputyInputRequired = TypedDict("_DeputyInputRequired", {})
_DeputyInputOptional = TypedDict("_DeputyInputOptional", {"user_id": 'str', "deputy": 'str', "from": 'str', "until": 'str', "reason": 'str', "password": 'str', "code": 'str', }, total=False)


class DeputyInput(_DeputyInputRequired, _DeputyInputOptional):
    """"""


class Document(TypedDict):
    """"""

    id: str
    document_id: str
    title: str
    filename: str
    status: Literal["ready", "deleted"]
    withdrawn: bool
    bundle_id: str


class DocumentInput(TypedDict, total=False):
    """"""

    id: str
    filename: str
    title: str
    uri: str
    lang: str
    published_at: str
    valid_until: str
    supersedes: str
    source_quality: Union[float, None]
    text: Union[str, None]
    pages: List[PageInput]
    chunks: List[ChunkInput]
    left_out: List[LeftOutInput]
    lake: str  # In place of text, pages and chunks: a path in the tenant's lake; only importSession reads it.
    lake_sha256: str  # Of the artifact in the lake, or of the version of the library; one of other bytes is refused.
    library: str  # Id of a document of the library, in place of text, pages and chunks.
    library_version: int  # Its version; 0 or none for the newest.


class DoubtInput(TypedDict, total=False):
    """"""

    start: int
    end: int
    confidence: int


class Due(TypedDict):
    """"""

    due_on: Union[str, None]
    time_zone: str
    late_at: Union[str, None]
    state: str
    set_by: Union[str, None]
    set_at: Union[str, None]


class DueInput(TypedDict, total=False):
    """"""

    due_on: Union[str, None]


class _EntryRequired(TypedDict):
    id: str
    claim_id: str  # The caller's id.
    claim_text: str
    claim_type: Literal["fact", "policy", "numeric", "definition"]
    claim_importance: Literal["critical", "material", "minor"]
    verdict: Literal["supported", "weak", "contradicted", "not_found", None]  # The effective one: a reviewer's, else the judge's; null if no judge could judge the claim.
    confidence_score: float  # 0 to 1.
    evidence_chunk_ids: List[str]  # Chunk hashes of 8 digits.
    evidence_snippet: str
    source_document: Union[Source, None]  # null without evidence.
    notes: str
    position: int  # From 0.
    number: int  # From 1, as people see it and as addresses take it.
    start_offset: Union[int, None]  # In the answer, in code points; null if the claim was not found in it.
    end_offset: Union[int, None]
    machine_verdict: Literal["supported", "weak", "contradicted", "not_found", None]  # What the judge said, whatever a reviewer said.
    overridden: bool  # The effective verdict is a reviewer's.
    state: Literal["unreviewed", "confirmed", "overridden", "needs_evidence", "not_a_claim", "replaced"]
    evidence_strength: Union[Strength, None]  # null without evidence.
    quote: Union[Quote, None]  # Where the snippet stands in its chunk, and how exactly; null without evidence.
    uncited: bool  # It should cite a source and does not.
    stale: bool  # The deciding review was made for an earlier judgement: review the claim again.
    affected: bool  # The evidence lies in a document that was withdrawn.
    citations: List[Citation]
    matches: List[Match]
    reviews: List[Review]
    flags: List[Literal["missing_evidence", "contradiction", "outdated_source", "ambiguous_evidence", "conflicting_sources", "low_confidence", "miscitation", "invented_quotation", "struck_or_hidden", "doubtful_reading"]]
    rule_set: int  # Number of the rules that assessed the session.
    confidence_source: Union[str, None]  # Whose figure confidence_score is; null of an unjudged claim.
    probability: Union[float, None]  # That the verdict is right, 0 to 1; null unless the judge is calibrated.
    tier: Literal["likely", "doubtful", None]  # likely (more likely supported than not) or doubtful; null unless the verdict is weak and has a probability.
    citation_checks: List[CitationCheck]  # What became of the claim's citations; chunks by hashes of 8 digits.
    quotation_checks: List[QuotationCheck]  # What became of its quotations; offsets in the answer, null where the claim is not found in it.
    compared: List[Compared]  # Its figures, limits and dates beside those of the passage that decides; source is null if that has none.


class Entry(_EntryRequired, total=False):
    """"""

    unjudged: str  # Why no judge could judge it.
    weak_because: str  # Why a model's supported is weak: unmeasured, share (the model's share is not above 85 %) or objection (rule J-9).
    upstream: UpstreamVerdict
    imported_reviews: List[Imported]
    replaces: List[int]
    machine_confidence_source: str
    machine_probability: float
    source_text_missing: bool  # Something could not be looked up, since a source came without its text.
    left_out: LeftOutCheck  # The claim rests on text of its source that is hidden or struck out.


class Erasure(TypedDict):
    """"""

    erasure_id: str
    kind: str
    object_id: str
    title: str
    status: str
    retention: bool
    reason: str
    counts: Dict[str, int]
    files: int
    asked_by: str
    asked_at: Union[str, None]
    confirmed_by: str
    confirmed_at: Union[str, None]
    done_at: Union[str, None]
    obstacles: List[Obstacle]


class ErasureInput(TypedDict, total=False):
    """"""

    kind: str
    id: str
    reason: str
    dry_run: bool


class EvidenceChunkInput(TypedDict, total=False):
    """"""

    source_root: str
    document_uri: str
    title: str
    chunk_idx: int
    chunk_root: str
    span: str
    source_role: str


class EvidenceClaimInput(TypedDict, total=False):
    """"""

    text: str
    pointer_ids: List[str]
    evidence_ids: List[str]


class EvidenceClaimViolation(TypedDict):
    """"""

    code: str
    pointer_id: str
    claim: int


class _EvidenceMapRequired(TypedDict):
    evidence: List[EvidenceObject]
    root: str  # Merkle root over the evidence, in hex.
    prompt: str  # The evidence as a block for a prompt.
    lattice: str  # The claims with their evidence, as text.


class EvidenceMap(_EvidenceMapRequired, total=False):
    """"""

    proofs: List[EvidenceProof]  # One for each evidence id of prove. `sanad verify-evidence` checks one against the root.


class EvidenceMapInput(TypedDict, total=False):
    """"""

    chunks: List[EvidenceChunkInput]
    claims: List[EvidenceClaimInput]
    window: Union[int, None]  # The length of an excerpt in code points, 200 by default.
    prove: List[str]  # Evidence ids to prove: that each is in the map with this root.


class EvidenceObject(TypedDict):
    """"""

    pointer_id: str
    evidence_id: str
    source_root: str
    document_uri: str
    title: Union[str, None]
    chunk_idx: int
    chunk_root: str
    offset_start: int
    offset_end: int
    source_role: str
    text_hash: str
    span: str


class EvidenceProof(TypedDict):
    """"""

    evidence_id: str
    index: int
    size: int
    hashes: List[str]


class Excerpt(TypedDict):
    """"""

    text: str
    marks: List[Mark]
    before: bool
    after: bool


class Export(TypedDict):
    """"""

    export_id: str
    pack_id: str
    title: str
    format: str
    status: str  # asked, granted or refused.
    asked_by: str
    asked_at: Union[str, None]
    reason: str
    decided_by: Union[str, None]
    decided_at: Union[str, None]
    linked_at: Union[str, None]
    expires_at: Union[str, None]


class Factor(TypedDict):
    """"""

    required: bool


class FactorInput(TypedDict, total=False):
    """"""

    required: bool
    reason: str
    password: str
    code: str


class _FeatureRequired(TypedDict):
    name: str
    value: float


class Feature(_FeatureRequired, total=False):
    """"""

    weight: float


class FieldChange(TypedDict):
    """"""

    field: str
    old: Union[str, None]
    new: Union[str, None]


class Found(TypedDict):
    """"""

    kind: Literal["claim", "answer", "passage", "note"]
    session_id: str
    session_title: str
    state: Literal["new", "in_review", "reviewed", "closed"]
    at: str
    claim: Union[int, None]
    verdict: Literal["supported", "weak", "contradicted", "not_found", None]
    actor: Union[str, None]
    document_id: Union[str, None]
    document: Union[str, None]
    filename: Union[str, None]
    chunk: Union[int, None]
    page: Union[int, None]
    withdrawn: bool
    excerpt: Excerpt
    url: str


class Hold(TypedDict):
    """"""

    kind: str
    id: str
    held: bool
    reason: str
    actor: str
    at: Union[str, None]


class HoldInput(TypedDict, total=False):
    """"""

    kind: str
    id: str
    held: bool
    reason: str


_ImportedRequired = TypedDict("_ImportedRequired", {"file": 'str', "brought_by": 'str', "brought_at": 'str', "import": 'int', })
_ImportedOptional = TypedDict("_ImportedOptional", {"store": 'str', "judge": 'str', "machine_verdict": 'Literal["supported", "weak", "contradicted", "not_found"]', "verdict": 'Literal["supported", "weak", "contradicted", "not_found"]', "confidence_score": 'float', "reviews": 'List[ImportedReview]', "stale_reviews": 'int', "passages": 'List[ImportedPassage]', }, total=False)


class Imported(_ImportedRequired, _ImportedOptional):
    """"""


class ImportedPassage(TypedDict):
    """"""

    actor: str
    at: str
    document: int
    chunk: int
    start: int
    end: int


class _ImportedReviewRequired(TypedDict):
    actor: str
    at: str
    action: Literal["confirm", "override", "edit", "comment", "needs_evidence", "undo", "not_a_claim", "replace", "resolve", "reopen"]


class ImportedReview(_ImportedReviewRequired, total=False):
    """"""

    role: str
    verdict: Literal["supported", "weak", "contradicted", "not_found"]
    reason: str
    claim_type: Literal["fact", "policy", "numeric", "definition"]
    importance: Literal["critical", "material", "minor"]
    undoes: int
    adjudicates: bool
    bulk: str
    asks: bool
    thread: int


class Invitation(TypedDict):
    """"""

    invitation_id: str
    login: Union[str, None]
    name: Union[str, None]
    email: Union[str, None]
    role: str
    invited_by: str
    invited_at: str
    expires_at: str
    usable: bool


class InvitationInput(TypedDict, total=False):
    """"""

    login: str
    role: str
    reason: str
    password: str
    code: str


class InvitationLink(TypedDict):
    """"""

    invitation_id: str
    login: Union[str, None]
    name: Union[str, None]
    email: Union[str, None]
    role: str
    invited_by: str
    invited_at: str
    expires_at: str
    usable: bool
    link: str


class InvitationLinkAsked(TypedDict):
    """"""

    change_id: str
    kind: str
    object: str
    role: str
    version: int
    on: bool
    reason: str
    status: str
    asked_by: str
    asked_at: str
    expires_at: str
    decided_by: str
    decided_at: Union[str, None]
    link: str


class Invited(TypedDict):
    """"""

    invitation_id: str
    organisation: str
    role: str
    invited_by_name: str
    invited_at: str
    expires_at: str


class ItemChange(TypedDict):
    """"""

    change: str
    position: int
    name: str
    fields: List[FieldChange]


class Job(TypedDict):
    """"""

    job_id: str
    kind: Literal["import", "judge"]
    status: Literal["queued", "running", "done", "failed", "cancelled"]
    step: str  # reading, judging or storing; empty before the first step.
    name: str
    bytes: int
    claims_done: int
    claims_total: int
    percent: int
    attempt: int  # How often it was begun; more than once after an interruption.
    session_id: Union[str, None]  # null before it is done.
    ledger_url: Union[str, None]
    created: bool  # false if the session existed before, or does not exist yet.
    warnings: List[Warning]
    error: Union[JobError, None]  # Of a failed job.
    created_at: str
    started_at: Union[str, None]
    ended_at: Union[str, None]


class JobError(TypedDict):
    """"""

    kind: Literal["invalid", "too_large", "unsupported", "gone", "unavailable", "internal"]
    path: str  # The place of the fault in what was sent.
    detail: str


class JobTitle(TypedDict):
    """"""

    title: str


class JobTitleInput(TypedDict, total=False):
    """"""

    title: str


class _JudgeEstimateRequired(TypedDict):
    endpoint_id: str
    scope: str
    claims: int
    asked: int
    reasons: Dict[str, int]
    tokens_in: int
    tokens_out: int
    cost_millionths: int
    by_stored_verdicts: bool
    known_answers: int


class JudgeEstimate(_JudgeEstimateRequired, total=False):
    """"""

    embeddings: VectorEstimate


class JudgeInput(TypedDict, total=False):
    """"""

    judge: str  # embedded, the default; lexical, the same without its reader; or the id or name of an endpoint.
    bundle_id: str  # Of the evidence bundle that the run was given.
    scope: str
    comments: bool


class Judged(TypedDict):
    """"""

    run: RunRow
    revision: int
    ledger_url: str


class LanguageFigures(TypedDict):
    """"""

    language: str
    claims: int
    supported: int
    weak: int
    contradicted: int
    not_found: int
    unjudged: int
    wrong: ClaimShare
    wrong_by_people: ClaimShare
    overridden: ClaimShare


class LanguageTable(TypedDict):
    """"""

    language: str
    both: int
    same: int
    agreement_low: float
    agreement_high: float
    kappa: Union[float, None]
    matrix: List[VerdictPair]


class Ledger(TypedDict):
    """"""

    id: str
    session_id: str
    created_at: str
    updated_at: str
    entries: List[Entry]
    set_aside: List[Entry]
    summary: Summary
    risk_flags: List[Risk]
    follow_up_questions: List[str]
    recommended_actions: List[str]
    revision: int


class _LedgerAnswerRequired(TypedDict):
    ledger: Ledger
    session: LedgerSession


class LedgerAnswer(_LedgerAnswerRequired, total=False):
    """"""

    page: LedgerPage


class _LedgerExportInputRequired(TypedDict):
    format: str  # markdown, json, pdf, csv or xlsx.


class LedgerExportInput(_LedgerExportInputRequired, total=False):
    """"""

    language: Literal["en", "ar", "both"]


class LedgerLink(TypedDict):
    """"""

    download_url: str  # Personal, for 15 minutes: it takes the token that made it.
    expires_at: str


class LedgerPage(TypedDict):
    """"""

    matching: int
    left: int
    next_from: Union[int, None]


class _LedgerSessionRequired(TypedDict):
    id: str
    query: str
    mode: str
    documents: List[Document]


class LedgerSession(_LedgerSessionRequired, total=False):
    """"""

    model: str
    model_version: str
    trace_id: str
    refused_spans: List[RefusedSpans]
    trace: SessionTrace


class LeftOutCheck(TypedDict):
    """"""

    kind: Literal["hidden", "struck"]
    document_id: str
    index: int


class _LeftOutInputRequired(TypedDict):
    kind: str  # hidden or struck
    how: str  # how it is hidden or struck out
    text: str  # the words of the chunk


class LeftOutInput(_LeftOutInputRequired, total=False):
    """"""

    page_number: Union[int, None]
    at: int
    more: int


class LibraryCited(TypedDict):
    """"""

    claim: int  # Number of the claim, from 1.
    text: str  # The words that it cites.
    page_number: int  # 0 where there are no pages.
    heading_path: List[str]
    now: Literal["same", "moved", "lost"]  # In the newest version: same, moved (to another page or heading) or lost (no longer there).
    at: Union[LibraryCitedHere, None]  # Where they stand in the newest version; null if lost.


class LibraryCitedHere(TypedDict):
    """"""

    page_number: int
    heading_path: List[str]


class LibraryDocument(TypedDict):
    """"""

    id: str  # As library in a document of a session takes it.
    name: str
    folder: str
    tags: List[str]
    version: int  # The newest.
    created_at: str
    changed_at: str  # When the newest version was added.


class LibraryDocumentChangeInput(TypedDict, total=False):
    """"""

    name: Union[str, None]
    folder: Union[str, None]
    tags: Union[List[str], None]


class _LibraryDocumentInputRequired(TypedDict):
    filename: str  # Its end says how the text is read.
    text: str  # the words of the file


class LibraryDocumentInput(_LibraryDocumentInputRequired, total=False):
    """"""

    name: str  # filename by default.
    folder: str  # Names with slashes between them.
    tags: List[str]


class LibraryPack(TypedDict):
    """"""

    pack_id: str
    title: str
    state: str


class LibraryPackUse(TypedDict):
    """"""

    pack_id: str
    title: str
    state: str
    version: int


class LibraryUse(TypedDict):
    """"""

    session_id: str
    title: str
    version: int  # The version that it rests on.
    packs: List[LibraryPack]
    cited: List[LibraryCited]  # Empty where it rests on the newest version.
    cited_more: bool  # Not all of these were read: a page reads 1,000.


class LibraryUses(TypedDict):
    """"""

    sessions: int  # How many rest on it in all, also those that you may not read.
    packs: int  # How many packs refer to these sessions.
    uses: List[LibraryUse]
    attached: List[LibraryPackUse]  # On the first page: packs that have the file of a version, but not by one of their session's documents.
    attached_more: bool
    next: Union[str, None]


class LibraryVersion(TypedDict):
    """"""

    version: int
    filename: str
    media_type: str
    size: int
    sha256: str
    created_at: str
    created_by: str  # Name of the account; empty if it is gone.


class LibraryVersionInput(TypedDict):
    """"""

    filename: str  # the name of the file, as leave.md
    text: str  # the words of the file


class LibraryWholeDocument(TypedDict):
    """"""

    id: str
    name: str
    folder: str
    tags: List[str]
    version: int
    created_at: str
    changed_at: str
    versions: List[LibraryVersion]


class Link(TypedDict):
    """"""

    download_url: str  # Personal, for 15 minutes: it takes the token or the login that made it.
    expires_at: str
    export_id: str


class LinkInput(TypedDict, total=False):
    """"""

    role: str
    name: str
    email: str
    days: int
    reason: str
    password: str
    code: str


class LinkedRun(TypedDict):
    """"""

    run_id: str
    linked_at: str
    linked_by: str
    session_id: str
    number: int
    read: bool


class LinkedRuns(TypedDict):
    """"""

    runs: List[LinkedRun]
    total: int


class _LostRequired(TypedDict):
    cause: str
    count: int


class Lost(_LostRequired, total=False):
    """"""

    spans: List[str]


class MailChoice(TypedDict):
    """"""

    kind: str
    when: str


class MailChoiceInput(TypedDict, total=False):
    """"""

    kind: str
    when: str


class MailInput(TypedDict, total=False):
    """"""

    lang: Union[str, None]
    choices: List[MailChoiceInput]


class MailSettings(TypedDict):
    """"""

    available: bool
    address: Union[str, None]
    lang: Union[str, None]
    daily: Union[str, None]
    choices: List[MailChoice]


class Mark(TypedDict):
    """"""

    start: int
    end: int


class _MatchRequired(TypedDict):
    document_id: str
    chunk_id: str
    similarity: float
    support_level: Literal["full", "partial", "none"]
    contradicts: bool
    snippet: str
    quote: Quote
    filename: str
    chunk_hash: str


class Match(_MatchRequired, total=False):
    """"""

    not_in_source: bool
    doubtful: bool
    note: str
    conflicts: List[Conflict]
    missing: List[str]
    features: List[Feature]
    attached: Attached
    page_number: int


class Measured(TypedDict):
    """"""

    judge: Union[str, None]  # null for all of them together.
    version: Union[str, None]  # null for judgements that came with an import, and for all judges together.
    decided: int
    same: int  # Of those decided, the ones that kept the machine's verdict.
    agreement_rate: Union[float, None]  # null where none is decided.
    kappa: Union[float, None]  # Cohen's; null below 30 claims, and if agreement by chance would be certain.
    matrix: List[Comparison]  # All sixteen pairs.


class MemoChange(TypedDict):
    """"""

    field: str
    lang: str
    pieces: List[MemoPiece]


class MemoInput(TypedDict, total=False):
    """"""

    title_en: Union[str, None]
    title_ar: Union[str, None]
    executive_summary_en: Union[str, None]
    executive_summary_ar: Union[str, None]
    body_en: Union[str, None]
    body_ar: Union[str, None]


class MemoPiece(TypedDict):
    """"""

    op: Literal["kept", "added", "removed"]
    text: str


class Mention(TypedDict):
    """"""

    start: int
    length: int
    user_id: str


class _ModelEndpointRequired(TypedDict):
    model_id: str
    name: str
    kind: str
    url: str
    model: str
    has_key: bool  # Whether a key is stored; keys are never shown.
    trust_supported: float  # The measured share of supported that was right, 0 to 1; 0 if it was not measured.
    trust_contradicted: float
    price_in: float  # Of a million tokens sent.
    price_out: float  # Of a million tokens received.
    run_tokens: int  # Most tokens of one run; 0 for no bound.
    run_cost: float
    day_tokens: int
    day_cost: float  # Most cost of one day in UTC, in the currency of the prices; 0 for no bound.
    parallel: int
    timeout_seconds: float
    redact: bool  # Personal data is replaced before anything is sent.
    enabled: bool
    created_at: str
    changed_at: str


class ModelEndpoint(_ModelEndpointRequired, total=False):
    """"""

    spent_today: Spent  # Only in the answer about one endpoint.
    measured: ModelMeasured  # What people made of its words: in the answers to GET and to taking it over; not of embeddings.


class ModelEndpointChangeInput(TypedDict, total=False):
    """"""

    name: Union[str, None]
    kind: Union[str, None]
    url: Union[str, None]
    model: Union[str, None]
    key: Union[str, None]  # Stored sealed, never shown; '' removes it.
    trust_supported: Union[float, None]
    trust_contradicted: Union[float, None]
    price_in: Union[float, None]
    price_out: Union[float, None]
    run_tokens: Union[int, None]
    run_cost: Union[float, None]
    day_tokens: Union[int, None]
    day_cost: Union[float, None]
    parallel: Union[int, None]
    timeout_seconds: Union[float, None]
    redact: Union[bool, None]
    enabled: Union[bool, None]


class _ModelEndpointInputRequired(TypedDict):
    name: Union[str, None]
    kind: Union[str, None]  # openai, anthropic, nli or embeddings.
    url: Union[str, None]


class ModelEndpointInput(_ModelEndpointInputRequired, total=False):
    """"""

    model: Union[str, None]
    key: Union[str, None]
    trust_supported: Union[float, None]
    trust_contradicted: Union[float, None]
    price_in: Union[float, None]
    price_out: Union[float, None]
    run_tokens: Union[int, None]
    run_cost: Union[float, None]
    day_tokens: Union[int, None]
    day_cost: Union[float, None]
    parallel: Union[int, None]
    timeout_seconds: Union[float, None]
    redact: Union[bool, None]  # true if left out.
    enabled: Union[bool, None]


class ModelMeasured(TypedDict):
    """"""

    supported: ModelWord
    contradicted: ModelWord
    words: List[ModelSettled]  # How many claims people settled with a verdict, by what the model had said; capped words as it said them.
    blind: int  # Of these claims, those of blind sessions.
    left_out: int  # Claims of which it said supported, and which stay weak whatever the trust.
    sessions: int  # That models were asked about and that were read.
    more: bool  # Older sessions were left out.


class ModelSettled(TypedDict):
    """"""

    said: Literal["supported", "weak", "contradicted", "not_found"]
    settled: Literal["supported", "weak", "contradicted", "not_found"]
    claims: int


class ModelTried(TypedDict):
    """"""

    ok: bool
    model: str
    seconds: float
    tokens_in: int
    tokens_out: int
    enabled: bool
    fault: Union[str, None]  # A code of what went wrong, such as timeout or status 401; null if it answered.
    text: Union[str, None]
    text_ar: Union[str, None]


class ModelWord(TypedDict):
    """"""

    reviews: int  # Settled claims of which the model said this word, each once.
    agreed: int  # Of these, those that people settled with the same verdict.
    lower_bound: Union[float, None]  # Of agreed in reviews, with 95 % confidence (Wilson); null below 10 reviews.
    reviews_missing: int  # How many more reviews it takes before anything is said.


class Obstacle(TypedDict):
    """"""

    code: str
    object: str
    message: str


class OpenSession(TypedDict):
    """"""

    session_id: str
    title: str
    created_at: str


class Opinion(TypedDict):
    """"""

    judge: Union[str, None]  # null for people: their verdict once it is settled.
    version: Union[str, None]
    model: Union[str, None]
    reader: Union[str, None]
    verdict: Literal["supported", "weak", "contradicted", "not_found"]


class Opinions(TypedDict):
    """"""

    number: int
    claim_id: str
    claim_text: str
    differ: bool  # Two of the verdicts are different.
    opinions: List[Opinion]


class _OwnClaimInputRequired(TypedDict):
    claim_text: str  # the statement that is claimed


class OwnClaimInput(_OwnClaimInputRequired, total=False):
    """"""

    claim_id: str
    claim_type: str
    importance: str
    requires_citation: Union[bool, None]
    start_offset: Union[int, None]
    end_offset: Union[int, None]
    matches: List[OwnMatchInput]


class _OwnMatchInputRequired(TypedDict):
    chunk: str  # a chunk's id, document id/chunk id, or at least 8 digits of its hash
    similarity: float  # a number from 0 to 1
    support_level: str  # full, partial or none


class OwnMatchInput(_OwnMatchInputRequired, total=False):
    """"""

    contradicts: bool
    snippet: str


class OwnTokenInput(TypedDict, total=False):
    """"""

    name: str
    days: int
    password: str
    code: str
    scopes: List[str]
    addresses: List[str]


_PackRequired = TypedDict("_PackRequired", {"format": 'str', "pack_id": 'str', "tenant_id": 'str', "version": 'int', "decision_id": 'str', "entity_id": 'str', "agent_name": 'str', "model": 'str', "model_version": 'str', "decided_at": 'str', "title": 'str', "statement": 'str', "approval_class": 'str', "reversibility_class": 'str', "sensitivity_class": 'str', "confidence": 'Union[float, None]', "high_stakes": 'bool', "data_freshness_window_hours": 'Union[int, None]', "requirement": 'PackRequirement', "policy": 'Union[PackPolicyRecord, None]', "created_at": 'str', "retain_until": 'str', "sources": 'List[PackEvidenceSource]', "tool_calls": 'List[PackToolCallRecord]', "prompts": 'List[PackPromptRecord]', "memo": 'PackBilingualMemo', "evidence_map_root": 'str', "content_root": 'str', "status": 'Literal["draft", "in_review", "signed_off", "returned", "superseded", "discarded"]', "revision": 'int', "unresolved": 'bool', "digest": 'Union[str, None]', "submitted_at": 'Union[str, None]', "reviewer_id": 'Union[str, None]', "reviewed_at": 'Union[str, None]', "signed_at": 'Union[str, None]', "makers": 'List[str]', "approvers": 'int', "approvals": 'List[PackApproval]', "return": 'Union[PackReturn, None]', "legal_hold": 'Union[PackHold, None]', "superseded_by": 'Union[str, None]', "files": 'List[PackFile]', "validation": 'List[ProblemItem]', "alarms": 'List[Alarm]', "concerns": 'List[Concern]', })
_PackOptional = TypedDict("_PackOptional", {"supersedes": 'str', "statement_ar": 'str', "statement_en": 'str', "ledger_session_id": 'str', "trace_id": 'str', "one_administrator": 'bool', "memo_by": 'str', "mended": 'List[PackMend]', "ledger": 'PackLedger', "attachments": 'List[PackAttachment]', "replay": 'PackReplay', "blind": 'str', }, total=False)


class Pack(_PackRequired, _PackOptional):
    """"""


_PackApprovalRequired = TypedDict("_PackApprovalRequired", {"actor": 'str', "role": 'str', "at": 'str', "digest": 'str', "log_index": 'int', })
_PackApprovalOptional = TypedDict("_PackApprovalOptional", {"name": 'str', "title": 'str', "comment": 'str', "for": 'PackBehalf', "acknowledged": 'List[str]', "since": 'List[PackSince]', }, total=False)


class PackApproval(_PackApprovalRequired, _PackApprovalOptional):
    """"""


class PackAttachment(TypedDict):
    """"""

    name: str
    media_type: str
    size: int
    sha256: str


_PackBehalfRequired = TypedDict("_PackBehalfRequired", {"actor": 'str', "from": 'str', "until": 'str', "log_index": 'int', })
_PackBehalfOptional = TypedDict("_PackBehalfOptional", {"name": 'str', }, total=False)


class PackBehalf(_PackBehalfRequired, _PackBehalfOptional):
    """"""


class PackBilingualMemo(TypedDict):
    """"""

    title_en: str
    title_ar: str
    executive_summary_en: str
    executive_summary_ar: str
    body_en: str
    body_ar: str


class PackBilingualMemoInput(TypedDict, total=False):
    """"""

    title_en: str
    title_ar: str
    executive_summary_en: str
    executive_summary_ar: str
    body_en: str
    body_ar: str


class PackCallerWord(TypedDict):
    """"""

    contradiction_flag: bool
    verification_status: str


class PackCallerWordInput(TypedDict, total=False):
    """"""

    contradiction_flag: bool
    verification_status: str


class PackChangeInput(TypedDict, total=False):
    """"""

    sources: Union[List[PackEvidenceSourceInput], None]
    tool_calls: Union[List[PackToolCallRecordInput], None]
    statement: Union[str, None]
    statement_ar: Union[str, None]
    statement_en: Union[str, None]
    memo: Union[MemoInput, None]
    reason: str


class _PackChangedRequired(TypedDict):
    id: str


class PackChanged(_PackChangedRequired, total=False):
    """"""

    was: Literal["supported", "weak", "contradicted", "not_found"]
    now: Literal["supported", "weak", "contradicted", "not_found"]


class PackCitation(TypedDict):
    """"""

    anchor: str
    status: str


class PackClassDays(TypedDict):
    """"""

    A0: int
    A1: int
    A2: int
    A3: int


class PackClassDaysInput(TypedDict, total=False):
    """"""

    A0: int
    A1: int
    A2: int
    A3: int


class _PackDepartureRequired(TypedDict):
    result: str


class PackDeparture(_PackDepartureRequired, total=False):
    """"""

    words: List[ActionWords]
    decided: PackDepartureDecision


class PackDepartureDecision(TypedDict):
    """"""

    result: str
    actor: str
    role: str
    at: str
    reason: str


class PackDepartureDecisionInput(TypedDict, total=False):
    """"""

    result: str
    actor: str
    role: str
    at: str
    reason: str


class PackDepartureInput(TypedDict, total=False):
    """"""

    result: str
    words: List[ActionWordsInput]
    decided: PackDepartureDecisionInput


class _PackEntryRequired(TypedDict):
    claim_id: str
    number: int
    claim_text: str
    claim_type: Literal["fact", "policy", "numeric", "definition"]
    importance: Literal["critical", "material", "minor"]
    machine_verdict: Literal["supported", "weak", "contradicted", "not_found"]  # Empty if no judge could judge the claim.
    verdict: Literal["supported", "weak", "contradicted", "not_found"]  # The effective one; empty if there is none.
    confidence: float
    figure: float
    notes: str
    state: Literal["unreviewed", "confirmed", "overridden", "needs_evidence", "not_a_claim", "replaced"]
    snippet: str
    document: str
    reviews: List[PackReview]
    flags: List[Literal["missing_evidence", "contradiction", "outdated_source", "ambiguous_evidence", "conflicting_sources", "low_confidence", "miscitation", "invented_quotation", "struck_or_hidden", "doubtful_reading"]]


class PackEntry(_PackEntryRequired, total=False):
    """"""

    figure_source: str
    tier: Literal["likely", "doubtful"]
    page: int
    section: str
    scanned: bool
    chunk_hash: str
    chunk_root: str
    evidence_id: str
    citations: List[PackCitation]
    quotations: List[PackQuotation]
    absent_snippets: int


class PackEnvelope(TypedDict):
    """"""

    payload: str  # Base64 of the signed Statement.
    payloadType: str
    signatures: List[PackSignature]


class PackErased(TypedDict):
    """"""

    format: str
    pack_id: str
    leaves: List[PackErasedLeaf]
    dsse: PackEnvelope
    record: PackEnvelope


class PackErasedLeaf(TypedDict):
    """"""

    kind: str
    leaf_hash: str


class _PackEvidenceSourceRequired(TypedDict):
    source: str
    retrieved_at: str
    confidence: Union[float, None]
    kind: str
    sensitivity_class: str
    excerpt: str
    excerpt_hash: str
    chunk_root: str
    evidence_id: str


class PackEvidenceSource(_PackEvidenceSourceRequired, total=False):
    """"""

    uri: str
    internal_ref: str
    content_hash: str
    offset_start: int
    offset_end: int


class PackEvidenceSourceInput(TypedDict, total=False):
    """"""

    source: str
    uri: str
    internal_ref: str
    retrieved_at: str
    confidence: Union[float, None]
    kind: str
    sensitivity_class: str
    excerpt: str
    excerpt_hash: str
    content_hash: str
    chunk_root: str
    offset_start: int
    offset_end: int
    evidence_id: str


class _PackExportInputRequired(TypedDict):
    format: str  # zip, json, markdown or pdf.


class PackExportInput(_PackExportInputRequired, total=False):
    """"""

    reason: str  # Shown to the person who decides about it.


class PackFile(TypedDict):
    """"""

    name: str
    media_type: str
    size: int
    sha256: str


class PackHold(TypedDict):
    """"""

    actor: str
    at: str
    reason: str


class PackInput(TypedDict):
    """"""

    decision_id: str


class PackLeafSalt(TypedDict):
    """"""

    kind: str
    id: str
    salt: str


class _PackLedgerRequired(TypedDict):
    session_id: str
    revision: int
    query: str
    entries: List[PackEntry]


class PackLedger(_PackLedgerRequired, total=False):
    """"""

    judged_at: str
    set_aside: List[PackEntry]


class PackLeftOut(TypedDict):
    """"""

    evidence_id: str
    source: str
    reason: str


class PackLeftOutInput(TypedDict, total=False):
    """"""

    evidence_id: str
    source: str
    reason: str


class PackMend(TypedDict):
    """"""

    path: str
    change: str


class PackPolicy(TypedDict):
    """"""

    version: int
    rules: List[PackPolicyRule]
    bulk_confirms_all: bool


class PackPolicyInput(TypedDict, total=False):
    """"""

    version: int
    rules: List[PackPolicyRuleInput]
    bulk_confirms_all: bool


_PackPolicyRecordRequired = TypedDict("_PackPolicyRecordRequired", {"version": 'int', "class": 'str', "rules": 'List[PackRuleOutcome]', })
_PackPolicyRecordOptional = TypedDict("_PackPolicyRecordOptional", {}, total=False)


class PackPolicyRecord(_PackPolicyRecordRequired, _PackPolicyRecordOptional):
    """"""


class _PackPolicyRuleRequired(TypedDict):
    rule: str
    A0: str
    A1: str
    A2: str
    A3: str


class PackPolicyRule(_PackPolicyRuleRequired, total=False):
    """"""

    days: PackClassDays


class PackPolicyRuleInput(TypedDict, total=False):
    """"""

    rule: str
    A0: str
    A1: str
    A2: str
    A3: str
    days: PackClassDaysInput


class _PackPromptRecordRequired(TypedDict):
    template_name: str
    template_version: str


class PackPromptRecord(_PackPromptRecordRequired, total=False):
    """"""

    rendered_hash: str


class PackPromptRecordInput(TypedDict, total=False):
    """"""

    template_name: str
    template_version: str
    rendered_hash: str


class PackProof(TypedDict):
    """"""

    format: str
    leaf: Any
    index: int
    size: int
    hashes: List[str]  # In hex, from the leaf up.
    dsse: PackEnvelope
    public_key: str


class PackQuotation(TypedDict):
    """"""

    text: str
    status: str


class PackRedacted(TypedDict):
    """"""

    format: str
    pack: Dict[str, Any]
    salts: List[PackLeafSalt]  # Of the parts that are not redacted.
    dsse: PackEnvelope
    reasons: PackEnvelope


class PackRedactionInput(TypedDict):
    """"""

    kind: str  # claim, set_aside, excerpt, memo or tool_call.
    id: str  # As in pack.json: a claim_id, E1, body_ar, T1.
    reason: str
    rule: str  # The rule by which it is left out.


class _PackReplayRequired(TypedDict):
    left_out: List[PackLeftOut]


class PackReplay(_PackReplayRequired, total=False):
    """"""

    policy: Any


class PackReplayInput(TypedDict, total=False):
    """"""

    policy: Any
    left_out: List[PackLeftOutInput]


class PackRequirement(TypedDict):
    """"""

    level: Literal["mandatory", "recommended", "skip"]
    rules: List[str]  # The rules that make it so.
    effective_class: str  # The approval class that sign-off counts with.
    approvers: int  # How many different people sign.


class _PackReturnRequired(TypedDict):
    actor: str
    at: str
    reason: str  # Why it was returned.


class PackReturn(_PackReturnRequired, total=False):
    """"""

    name: str


class _PackReviewRequired(TypedDict):
    actor: str
    role: str
    at: str
    action: Literal["confirm", "override", "edit", "comment", "needs_evidence", "undo", "not_a_claim", "replace", "resolve", "reopen"]


class PackReview(_PackReviewRequired, total=False):
    """"""

    verdict: Literal["supported", "weak", "contradicted", "not_found"]
    reason: str
    claim_type: Literal["fact", "policy", "numeric", "definition"]
    importance: Literal["critical", "material", "minor"]
    by: str
    log_index: int
    member: bool
    stale: bool
    undone: bool
    bulk: str
    replaced_by: List[int]
    asks: bool
    thread: int
    open: bool


class PackRow(TypedDict):
    """"""

    pack_id: str
    decision_id: str
    version: int
    supersedes: Union[str, None]
    superseded_by: Union[str, None]
    status: Literal["draft", "in_review", "signed_off", "returned", "superseded", "discarded"]
    revision: int
    title: str
    agent_name: str
    effective_class: str
    requirement_level: Literal["mandatory", "recommended", "skip"]
    ledger_session_id: Union[str, None]
    digest: Union[str, None]
    approvers: int
    approvals_given: int
    alarm_count: int
    on_hold: bool
    created_at: Union[str, None]
    updated_at: Union[str, None]
    submitted_at: Union[str, None]
    signed_at: Union[str, None]
    retain_until: Union[str, None]
    due_on: Union[str, None]
    due_time_zone: Union[str, None]
    waits_since: Union[str, None]


class _PackRuleOutcomeRequired(TypedDict):
    rule: str
    level: str
    outcome: str
    objects: List[str]


class PackRuleOutcome(_PackRuleOutcomeRequired, total=False):
    """"""

    days: int


class PackSignature(TypedDict):
    """"""

    keyid: str
    sig: str


class PackSince(TypedDict):
    """"""

    id: str
    kind: str
    objects: List[PackChanged]


class PackTombstone(TypedDict):
    """"""

    pack_id: str
    decision_id: str
    digest: str
    created_at: str
    retain_until: str
    purged_at: str
    purged_by: str
    second_by: str


class _PackToolCallRecordRequired(TypedDict):
    tool_name: str
    intended_action: str
    actual_action: str
    side_effects: List[str]
    verification_status: str
    contradiction_flag: bool  # Computed from the actions and the status.
    sensitivity_class: str


class PackToolCallRecord(_PackToolCallRecordRequired, total=False):
    """"""

    id: str
    inputs: Any
    outputs: Any
    started_at: str
    ended_at: str
    error: str
    departure: PackDeparture
    caller: PackCallerWord


class PackToolCallRecordInput(TypedDict, total=False):
    """"""

    id: str
    tool_name: str
    intended_action: str
    actual_action: str
    inputs: Any
    outputs: Any
    side_effects: List[str]
    verification_status: str
    contradiction_flag: bool
    sensitivity_class: str
    started_at: str
    ended_at: str
    error: str
    departure: PackDepartureInput
    caller: PackCallerWordInput


class PageInput(TypedDict, total=False):
    """"""

    number: Union[int, None]
    text: str


class PassageAttached(TypedDict):
    """"""

    claim: int
    from_verdict: Literal["supported", "weak", "contradicted", "not_found", None]
    to_verdict: Literal["supported", "weak", "contradicted", "not_found", None]
    stale_reviews: int
    match: Match
    revision: int


class PassageInput(TypedDict, total=False):
    """"""

    document_id: str
    start: Union[int, None]
    end: Union[int, None]


class _PasswordInputRequired(TypedDict):
    password: str  # Your password, given again.


class PasswordInput(_PasswordInputRequired, total=False):
    """"""

    code: str  # A one-time code, if the user has an authenticator app.


class Period(TypedDict):
    """"""

    kind: str
    days: int


class PeriodInput(TypedDict, total=False):
    """"""

    kind: str
    days: int


class PeriodsInput(TypedDict, total=False):
    """"""

    periods: List[PeriodInput]
    dry_run: bool
    reason: str


class Person(TypedDict):
    """"""

    user_id: str
    name: str


class _PlaceRequired(TypedDict):
    document_id: str
    filename: str
    chunk_id: str
    position: int  # Of the chunk in its document, from 0.
    digest: str  # SHA-256 of the chunk.


class Place(_PlaceRequired, total=False):
    """"""

    session_id: str
    page: int


class Pointed(TypedDict):
    """"""

    claim: int
    pointer_id: str
    evidence_id: str


class PointerAnswer(TypedDict):
    """"""

    session_id: str
    evidence: List[Pointed]
    root: str
    violations: List[EvidenceClaimViolation]
    ungrounded: List[int]
    ledger_url: str
    warnings: List[Warning]


class _PointerAnswerInputRequired(TypedDict):
    claims: List[PointerClaimInput]  # the claims of the answer


class PointerAnswerInput(_PointerAnswerInputRequired, total=False):
    """"""

    chunks: List[EvidenceChunkInput]
    query: str


class _PointerClaimInputRequired(TypedDict):
    text: str  # the statement that is claimed


class PointerClaimInput(_PointerClaimInputRequired, total=False):
    """"""

    pointer_ids: List[str]
    evidence_ids: List[str]


class _ProblemDetailsRequired(TypedDict):
    type: str
    title: str
    status: int


class ProblemDetails(_ProblemDetailsRequired, total=False):
    """"""

    detail: str
    path: str  # The place of the fault in what was sent: claims[3].start_offset.
    request_id: str  # Also in the header X-Request-Id, and in the server's log.
    errors: List[ProblemItem]  # All faults, for operations that can report several.
    warnings: List[ProblemItem]  # What is worth a look but prevents nothing.
    rules: List[RuleItem]
    missing: List[str]


class _ProblemItemRequired(TypedDict):
    path: str
    detail: str


class ProblemItem(_ProblemItemRequired, total=False):
    """"""

    rule: int  # The number of the rule.
    name: str
    severity: Literal["error", "warning"]
    detail_ar: str  # The same in Arabic.


class Progress(TypedDict):
    """"""

    total_claims: int
    settled: int  # Claims with a person's verdict that is not stale; with two reviewers, theirs agree or a third person has decided.
    unjudged: int
    differing: int  # Claims on which two reviewers differ and nobody has decided.
    open_threads: int  # Open threads of comments that everybody may see.
    stale: int


class ProofInput(TypedDict, total=False):
    """"""

    password: str
    code: str


class Purge(TypedDict):
    """"""

    purge_id: str
    pack_id: str
    title: str
    status: str
    asked_by: str
    asked_at: Union[str, None]
    files: int
    bytes: int
    decision_too: bool  # The decision is deleted too, as no other pack is about it.


class Purges(TypedDict):
    """"""

    purges: List[Purge]
    candidates: List[PackRow]
    tombstones: List[PackTombstone]


class Queued(TypedDict):
    """"""

    delivery_id: str


class _QuotationCheckRequired(TypedDict):
    text: str
    start: Union[int, None]
    end: Union[int, None]
    status: str


class QuotationCheck(_QuotationCheckRequired, total=False):
    """"""

    chunk: str
    document_id: str


class Quote(TypedDict):
    """"""

    kind: Literal["exact", "normalised", "fuzzy", "not_placed"]
    start: Union[int, None]
    end: Union[int, None]


class Rater(TypedDict):
    """"""

    judge: Union[str, None]  # null for people.
    version: Union[str, None]
    model: Union[str, None]  # That the judge asks; null for one that asks none.
    reader: Union[str, None]  # Digest of what the embedded judge read with; null for others.


class RaterCount(TypedDict):
    """"""

    judge: Union[str, None]  # null for people.
    version: Union[str, None]
    model: Union[str, None]
    reader: Union[str, None]
    claims: int


class RaterPair(TypedDict):
    """"""

    first: Rater
    second: Rater
    all: RaterTable
    by_type: List[TypeTable]  # Types with claims, in the order of the types.
    by_language: List[LanguageTable]  # By the letters of the claim and the language of the session; und if neither tells.


class RaterTable(TypedDict):
    """"""

    both: int  # Claims that both have judged.
    same: int
    agreement_low: float  # Of same in both: the lower bound of the 95 % score interval.
    agreement_high: float
    kappa: Union[float, None]  # Cohen's; null below 30 claims, and if agreement by chance would be certain.
    matrix: List[VerdictPair]  # Pairs of verdicts that occur.


class ReasonInput(TypedDict):
    """"""

    reason: str


class RedactionInput(TypedDict):
    """"""

    redactions: List[PackRedactionInput]


class _RefusedSpansRequired(TypedDict):
    cause: str
    count: int


class RefusedSpans(_RefusedSpansRequired, total=False):
    """"""

    spans: List[str]


class _ReplaceInputRequired(TypedDict):
    reason: str


class ReplaceInput(_ReplaceInputRequired, total=False):
    """"""

    filename: str
    title: str
    uri: str
    lang: str
    published_at: str
    valid_until: str
    source_quality: Union[float, None]
    text: Union[str, None]
    pages: List[PageInput]


class Replaced(TypedDict):
    """"""

    document_id: str
    session_id: str
    revision: int
    affected_claims: int
    stale_reviews: int
    ledger_url: str
    newer_document_id: str
    warnings: List[Warning]


class Retention(TypedDict):
    """"""

    periods: List[Period]
    due: List[Erasure]


class _ReviewRequired(TypedDict):
    id: str
    stale: bool  # It was made for an earlier judgement than the current one.
    actor: str
    role: str
    at: str
    action: Literal["confirm", "override", "edit", "comment", "needs_evidence", "undo", "not_a_claim", "replace", "resolve", "reopen"]


class Review(_ReviewRequired, total=False):
    """"""

    verdict: Literal["supported", "weak", "contradicted", "not_found"]
    reason: str
    claim_type: Literal["fact", "policy", "numeric", "definition"]
    importance: Literal["critical", "material", "minor"]
    undoes: int  # The number, from 1, of the claim's review that this one takes back.
    adjudicates: bool  # It settles a difference between two reviewers.
    replaced_by: List[int]
    bulk: str  # The step that confirmed several claims at once, if it was made in one.
    asks: bool  # A comment whose thread is open until somebody resolves it.
    thread: int  # The number, from 1, of the comment that begins its thread.


class ReviewAnswer(TypedDict):
    """"""

    review: Review
    entry: Entry


class _ReviewInputRequired(TypedDict):
    action: Literal["confirm", "override", "edit", "comment", "needs_evidence", "undo", "not_a_claim", "replace", "resolve", "reopen"]  # undo takes back the caller's own newest review of the claim.


class ReviewInput(_ReviewInputRequired, total=False):
    """"""

    verdict: Literal["supported", "weak", "contradicted", "not_found"]  # Required for override.
    reason: str  # Required for override, needs_evidence and not_a_claim.
    claim_type: Literal["fact", "policy", "numeric", "definition"]
    importance: Literal["critical", "material", "minor"]
    review_id: str
    asks: bool


class ReviewedModel(TypedDict):
    """"""

    provider: Union[str, None]  # What stands before a slash in the model's name, or the vendor whose format it came in; else null.
    model: Union[str, None]
    model_version: Union[str, None]
    sessions: int
    all: ClaimFigures
    by_type: List[TypeFigures]
    by_language: List[LanguageFigures]  # By the session's language, or the letters of its question.
    counted: CountedOver  # What the figures of all models are counted over.


class Reviewer(TypedDict):
    """"""

    id: str
    name: str


class ReviewersInput(TypedDict, total=False):
    """"""

    first_reviewer: Union[str, None]  # Id of a member; empty for nobody; unchanged if left out.
    second_reviewer: Union[str, None]  # As first_reviewer.
    second_review: str  # none, open or blind; unchanged if left out.


class Revised(TypedDict):
    """"""

    session_id: str
    version: int
    kept_claims: int
    new_claims: int
    ledger_url: str
    warnings: List[Warning]


class _RevisedAnswerInputRequired(TypedDict):
    answer: str  # the revised answer


class RevisedAnswerInput(_RevisedAnswerInputRequired, total=False):
    """"""

    claims: List[ClaimInput]


class RewordInput(TypedDict, total=False):
    """"""

    claims: List[int]
    texts: List[str]
    reason: str


class Reworded(TypedDict):
    """"""

    claims: List[int]
    aside: List[int]
    revision: int
    ledger_url: str


class Risk(TypedDict):
    """"""

    id: str
    type: Literal["missing_evidence", "contradiction", "outdated_source", "ambiguous_evidence", "conflicting_sources", "low_confidence", "miscitation", "invented_quotation", "struck_or_hidden", "doubtful_reading"]
    severity: Literal["high", "medium", "low"]
    description: str
    affected_count: int
    affected_claim_ids: List[str]
    mitigation: str


class Rule(TypedDict):
    """"""

    service: str
    only_with_retrieval: bool
    share_percent: float
    becomes: str


class RuleInput(TypedDict, total=False):
    """"""

    service: str
    only_with_retrieval: bool
    becomes: str
    share_percent: Union[float, None]


class RuleItem(TypedDict):
    """"""

    rule: str
    level: str
    outcome: str
    message: str
    message_ar: str
    objects: List[str]


class Rules(TypedDict):
    """"""

    rules: List[Rule]
    default: bool


class RulesInput(TypedDict, total=False):
    """"""

    rules: List[RuleInput]


class Run(TypedDict):
    """"""

    bundle_id: str
    run_id: str


class RunClaim(TypedDict):
    """"""

    number: int
    claim_id: str
    machine_verdict: Literal["supported", "weak", "contradicted", "not_found", None]
    confidence_score: float
    judge: str
    unjudged: str
    matches: List[Match]


class RunInput(TypedDict):
    """"""

    run_id: str  # the id of the run that was given the bundle


class RunRow(TypedDict):
    """"""

    run: int  # From 1.
    run_id: str
    newest: bool  # Its judgement is the session's current one.
    judge: str
    version: str
    parameters: Dict[str, str]
    input_digest: str
    bundle_id: str
    at: str
    duration_ms: int
    changed_claims: int  # Compared with the run before, as are the figures after it.
    verdict_flips: int
    stale_reviews: int


class Session(TypedDict):
    """"""

    session_id: str
    ledger_url: str  # The address of the ledger.
    warnings: List[Warning]  # What was stored but not understood.


class _SessionFileInputRequired(TypedDict):
    session: SessionInput  # an object with the query and the answer


class SessionFileInput(_SessionFileInputRequired, total=False):
    """"""

    format: str  # sanad.session/v1
    documents: List[DocumentInput]
    claims: List[OwnClaimInput]


class SessionInput(TypedDict, total=False):
    """"""

    external_id: str
    title: str
    query: str
    mode: str
    answer: str
    lang: str
    model: str
    model_version: str
    trace_id: str
    decision_id: str
    bundle_id: str


class SessionLinkInput(TypedDict, total=False):
    """"""

    session_id: str
    reason: str


class SessionReview(TypedDict):
    """"""

    id: str
    title: str
    state: Literal["new", "in_review", "reviewed", "closed"]
    progress: Progress
    second_review: str  # none, open or blind.
    first_reviewer: Union[Reviewer, None]
    second_reviewer: Union[Reviewer, None]
    agreement: Union[Agreement, None]  # null with a single reviewer.
    closed: Union[Closed, None]  # null unless it is closed.
    revision: int


class SessionRow(TypedDict):
    """"""

    id: str
    title: str
    status: str  # open or reviewed; state is more precise.
    total_claims: int
    by_verdict: Dict[str, int]
    unjudged: int  # Claims that no judge could judge; they count in no rate.
    evidence_coverage: float  # Claims with at least one match, of all; 0 to 1.
    risk_flags: int
    state: Literal["new", "in_review", "reviewed", "closed"]
    settled: int  # Claims that are settled, as in the review's progress.
    differing: int
    open_threads: int
    first_reviewer: Union[Reviewer, None]
    second_reviewer: Union[Reviewer, None]
    due_on: Union[str, None]
    due_time_zone: Union[str, None]
    created_at: str
    updated_at: str


class SessionTrace(TypedDict):
    """"""

    late_spans: int
    warnings: List[Warning]


class _SourceRequired(TypedDict):
    id: str
    filename: str


class Source(_SourceRequired, total=False):
    """"""

    page_number: int
    heading_path: List[str]
    scanned: bool


class SourceCandidateInput(TypedDict, total=False):
    """"""

    item_id: str  # Required.
    kind: str  # documents, jobs, entities or custom; any other word is read as custom.
    title: str
    url: str
    summary: str
    content: str
    score: Union[float, None]
    rank: Union[int, None]
    metadata: Dict[str, Any]


class SourceChange(TypedDict):
    """"""

    reference: str
    source: str
    old_hash: Union[str, None]
    new_hash: Union[str, None]
    fields: List[FieldChange]


class SourceChunkInput(TypedDict, total=False):
    """"""

    item_id: str
    text: str
    score: Union[float, None]


class SourceDebug(TypedDict, total=False):
    """"""

    reason: str
    ignored: List[str]
    candidates: int
    chunks: int
    repeated_items: int
    left_out: int
    chunks_of_none_given: int


class SourceEvent(TypedDict):
    """"""

    type: str
    payload: SourcePayload


class _SourceItemRequired(TypedDict):
    source_id: str
    kind: str  # documents, jobs, entities or custom.
    title: Union[str, None]
    url: Union[str, None]
    snippet: Union[str, None]
    snippet_from: Literal["chunk", "doc", "unknown"]
    score: Union[float, None]
    rank: int  # From 1, in this list.
    metadata: Dict[str, Any]


class SourceItem(_SourceItemRequired, total=False):
    """"""

    snippets: List[SourceSnippet]


class SourceOptionsInput(TypedDict, total=False):
    """"""

    max_sources: Union[int, None]  # 6 by default; 0 for none.
    prefer_chunk_snippets: Union[bool, None]
    max_snippet_chars: Union[int, None]  # 360 by default, including the ellipsis.
    snippets_per_source: Union[int, None]
    include_metadata_keys: List[str]
    exclude_metadata_keys: List[str]
    order_by: Literal["score", "rank", "input"]
    debug: bool  # Adds payload.debug.


class _SourcePayloadRequired(TypedDict):
    sources: List[SourceItem]


class SourcePayload(_SourcePayloadRequired, total=False):
    """"""

    debug: SourceDebug


class SourceSnippet(TypedDict):
    """"""

    text: str
    chunk_hash: Union[str, None]


class Sources(TypedDict):
    """"""

    added: List[SourceChange]
    dropped: List[SourceChange]
    changed: List[SourceChange]


class _SourcesInputRequired(TypedDict):
    candidates: List[SourceCandidateInput]  # the list of documents that retrieval found


class SourcesInput(_SourcesInputRequired, total=False):
    """"""

    evidence_chunks: List[SourceChunkInput]
    options: SourceOptionsInput


class Spent(TypedDict):
    """"""

    calls: int
    failed: int
    tokens_in: int
    tokens_out: int
    cost: float


class _StanceRequired(TypedDict):
    document_id: str
    filename: str
    position: int
    chunk_hash: str
    support_level: Literal["full", "partial", "none"]
    contradicts: bool
    withdrawn: bool


class Stance(_StanceRequired, total=False):
    """"""

    page_number: int


class Stats(TypedDict):
    """"""

    days: int
    since: str  # The first day of the period.
    open_sessions: List[AgeBand]
    weeks: List[Week]  # Twelve, the oldest first, the current one last.
    all_judges: Measured
    judges: List[Measured]  # By judge and version.


class Strength(TypedDict):
    """"""

    score: float
    components: StrengthComponents


class StrengthComponents(TypedDict):
    """"""

    semantic_similarity: float
    evidence_count: int
    directness: float
    source_quality: float


class _SummaryRequired(TypedDict):
    total_claims: int
    evidence_coverage: float
    by_verdict: ByVerdict
    by_importance: ByImportance
    unsupported_rate: float  # Contradicted and not found, of all; 0 to 1.
    unjudged: int
    overridden: int
    reviewed: int
    uncited: int


class Summary(_SummaryRequired, total=False):
    """"""

    stale: int  # Claims whose deciding review was made for an earlier judgement.
    not_claims: int
    replaced: int


class TakerInput(TypedDict, total=False):
    """"""

    id: str
    share: int


class Token(TypedDict):
    """"""

    id: str
    name: str
    role: str
    created_at: str
    expires_at: str
    revoked_at: Union[str, None]
    last_used_at: Union[str, None]
    current: bool
    scopes: List[str]
    addresses: List[str]


class TokenSecret(TypedDict):
    """"""

    id: str
    name: str
    role: str
    created_at: str
    expires_at: str
    revoked_at: Union[str, None]
    last_used_at: Union[str, None]
    current: bool
    scopes: List[str]
    addresses: List[str]
    secret: str


class Trace(TypedDict):
    """"""

    trace_id: str
    state: str
    service: str
    name: str
    spans: int
    late_spans: int
    refused_spans: List[Lost]
    warnings: List[Warning]
    cause: Union[str, None]
    note: Union[str, None]
    session_id: Union[str, None]
    decision_id: Union[str, None]
    first_at: str
    last_at: str
    due_at: str
    ended_at: Union[str, None]


class TrustedKey(TypedDict):
    """"""

    id: str
    name: str
    public_key: str
    added_by: str
    added_at: str


class TrustedKeyInput(TypedDict, total=False):
    """"""

    name: str
    public_key: str


class TypeFigures(TypedDict):
    """"""

    claim_type: Literal["fact", "policy", "numeric", "definition"]
    claims: int
    supported: int
    weak: int
    contradicted: int
    not_found: int
    unjudged: int
    wrong: ClaimShare
    wrong_by_people: ClaimShare
    overridden: ClaimShare


class TypeTable(TypedDict):
    """"""

    claim_type: Literal["fact", "policy", "numeric", "definition"]
    both: int
    same: int
    agreement_low: float
    agreement_high: float
    kappa: Union[float, None]
    matrix: List[VerdictPair]


class Unassigned(TypedDict):
    """"""

    finished: int
    others: int
    kept: int
    unfit: int
    barred: int
    beyond: int
    rest: int


class UpstreamVerdict(TypedDict, total=False):
    """"""

    verdict: Literal["supported", "weak", "contradicted", "not_found"]
    label: str
    score: float
    reason: str


class VectorEstimate(TypedDict):
    """"""

    endpoint_id: str
    endpoint: str
    tokens: int
    cost_millionths: int


class VerdictPair(TypedDict):
    """"""

    first_verdict: Literal["supported", "weak", "contradicted", "not_found"]
    second_verdict: Literal["supported", "weak", "contradicted", "not_found"]
    claims: int


_WaitingRequired = TypedDict("_WaitingRequired", {"user_id": 'str', "name": 'str', "for": 'List[Person]', })
_WaitingOptional = TypedDict("_WaitingOptional", {}, total=False)


class Waiting(_WaitingRequired, _WaitingOptional):
    """"""


class Waits(TypedDict):
    """"""

    since: Union[str, None]
    approvers: int
    approvals_given: int
    waiting: List[Waiting]
    dead_end: bool
    ways: List[Way]


class Warning(TypedDict):
    """"""

    path: str
    message: str


_WayRequired = TypedDict("_WayRequired", {"for": 'Union[str, None]', "dead_end": 'bool', })
_WayOptional = TypedDict("_WayOptional", {}, total=False)


class Way(_WayRequired, _WayOptional):
    """"""


class Webhook(TypedDict):
    """"""

    webhook_id: str
    url: str
    kinds: List[str]
    enabled: bool
    waiting: int
    missed: int
    created_at: str
    created_by: str


class WebhookChangeInput(TypedDict, total=False):
    """"""

    url: Union[str, None]
    kinds: List[str]
    enabled: Union[bool, None]


class WebhookInput(TypedDict, total=False):
    """"""

    url: str
    kinds: List[str]


class WebhookSecret(TypedDict):
    """"""

    webhook: Webhook
    secret: str


class Week(TypedDict):
    """"""

    week: str  # Its first day, as the organisation's weeks begin.
    sessions: int
    claims: int
    evidence_coverage: Union[float, None]  # null for a week without claims.
    decided: int  # Claims that have a verdict by the machine and one by a person.
    override_rate: Union[float, None]  # Of those, the share with another verdict than the machine's; null for a week without any.


class WithdrawInput(TypedDict):
    """"""

    reason: str


class Withdrawn(TypedDict):
    """"""

    document_id: str
    session_id: str
    revision: int
    affected_claims: int
    stale_reviews: int
    ledger_url: str


class ListOwnTokensAnswer(TypedDict):
    """"""

    tokens: List[Token]


class ListAccountChangesAnswer(TypedDict):
    """"""

    changes: List[AccountChange]


class ListDeputiesAnswer(TypedDict):
    """"""

    deputies: List[Deputy]


class ListChangesAnswer(TypedDict):
    """"""

    changes: List[APIChange]


class ListInvitationsAnswer(TypedDict):
    """"""

    invitations: List[Invitation]


class ListOwnInvitationsAnswer(TypedDict):
    """"""

    invitations: List[Invited]


class ListTrustedKeysAnswer(TypedDict):
    """"""

    trusted_keys: List[TrustedKey]


class ListSessionsAnswer(TypedDict):
    """"""

    sessions: List[SessionRow]
    next: Union[str, None]  # after of the next page; null on the last one.


class ListRunsAnswer(TypedDict):
    """"""

    runs: List[RunRow]
    next: Union[str, None]  # after of the next page; null on the last one.


class ShowRunAnswer(TypedDict):
    """"""

    claims: List[RunClaim]
    next: Union[str, None]  # after of the next page; null on the last one.


class ShowRunChangesAnswer(TypedDict):
    """"""

    changes: List[Change]
    next: Union[str, None]  # after of the next page; null on the last one.


class ListOpinionsAnswer(TypedDict):
    """"""

    claims: List[Opinions]
    next: Union[str, None]  # after of the next page; null on the last one.


class ListAnswersAnswer(TypedDict):
    """"""

    versions: List[AnswerRow]
    next: Union[str, None]  # after of the next page; null on the last one.


class ShowAnswerChangesAnswer(TypedDict):
    """"""

    changes: List[AnswerChange]
    next: Union[str, None]  # after of the next page; null on the last one.


class SearchAnswer(TypedDict):
    """"""

    results: List[Found]
    next: Union[str, None]  # after of the next page; null on the last one.


class ListReviewedModelsAnswer(TypedDict):
    """"""

    models: List[ReviewedModel]
    next: Union[str, None]  # after of the next page; null on the last one.


class ListJobsAnswer(TypedDict):
    """"""

    jobs: List[Job]
    next: Union[str, None]  # after of the next page; null on the last one.


class ListDecisionsAnswer(TypedDict):
    """"""

    decisions: List[DecisionRow]
    next: Union[str, None]  # after of the next page; null on the last one.


class ListPacksAnswer(TypedDict):
    """"""

    packs: List[PackRow]
    next: Union[str, None]  # after of the next page; null on the last one.


class ListVersionsAnswer(TypedDict):
    """"""

    versions: List[PackRow]


class ListExportsAnswer(TypedDict):
    """"""

    exports: List[Export]
    next: Union[str, None]  # after of the next page; null on the last one.


class ListWebhooksAnswer(TypedDict):
    """"""

    webhooks: List[Webhook]


class ListDeliveriesAnswer(TypedDict):
    """"""

    deliveries: List[Delivery]
    next: Union[str, None]  # after of the next page; null on the last one.


class ListModelEndpointsAnswer(TypedDict):
    """"""

    models: List[ModelEndpoint]


class ListBundlesAnswer(TypedDict):
    """"""

    bundles: List[BundleRow]
    next: Union[str, None]  # after of the next page; null on the last one.


class ListLibraryAnswer(TypedDict):
    """"""

    documents: List[LibraryDocument]
    next: Union[str, None]  # after of the next page; null on the last one.


class ListErasuresAnswer(TypedDict):
    """"""

    erasures: List[Erasure]


class ListLegalHoldsAnswer(TypedDict):
    """"""

    holds: List[Hold]


class ListTracesAnswer(TypedDict):
    """"""

    traces: List[Trace]


SessionImportInput = Union["SessionFileInput", Dict[str, Any], List[Any]]
