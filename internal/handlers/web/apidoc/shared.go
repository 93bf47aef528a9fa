package apidoc

import (
	"net/http"
	"strings"

	"sanad/internal/openapi"
)

// apiInfo is the head of the description.
var apiInfo = openapi.Info{
	Title: "Sanad", Version: "v1", Summary: "Ledgers of evidence for what an AI said, and packs that people sign for.",
	Description: strings.Join([]string{
		"JSON over HTTP. A token goes in the header `Authorization: Bearer …`; it belongs to one tenant and one role, and cookies mean nothing here. Times are RFC 3339 in UTC; offsets count Unicode code points.",
		"Bodies are read strictly: duplicate keys, unknown fields, invalid UTF-8, lone surrogates, trailing data, numbers beyond 2^53−1 and nesting over 64 levels are refused. null is the same as an absent field. Unknown fields of imported sessions and decisions are kept or left out, with a warning.",
		"Errors are problem details (RFC 9457) with the path of the fault and the id of the request. A foreign, an unknown and a malformed id get the same 404.",
		"Lists are paged by key: pass next as after to get the following page; it is null on the last page.",
		"With an `Idempotency-Key`, a repeat by the same caller gets the first answer again for seven days, with the header `Idempotent-Replayed: true`. Objects that can be edited have an `ETag`, and changing them takes `If-Match`.",
		"Answers are compressed where the client accepts gzip. Where the operator limits the requests of an account, by all its tokens and logins together, too many get 429 with `Retry-After`, and each answer says in `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11) what is left. New fields may be added to answers at any time; none is taken away within v1.",
	}, "\n\n"),
}

// apiTags are the chapters, in the order of the page.
var apiTags = []openapi.Tag{
	{
		Name:        "sessions",
		Description: "Import an answer with its sources, read its ledger, review its claims, export it.",
	},
	{Name: "search", Description: "Find words in claims, answers, documents and notes."},
	{
		Name:        "jobs",
		Description: "Imports and judge runs that take too long for one request: their progress and results.",
	},
	{Name: "evidence", Description: "Computed from the request; nothing is stored."},
	{Name: "decisions", Description: "Decisions that agents made, and whether they must have a pack."},
	{Name: "packs", Description: "Evidence packs: draft, submit, approve or return, next version, proofs."},
	{Name: "exports", Description: "Copies of signed packs, and who may have one."},
	{Name: "retention", Description: "Legal hold, and purges by two people."},
	{Name: "bundles", Description: "Evidence bundles for a model or a judge, and the lake that they are built from."},
	{Name: "library", Description: "Documents with versions that many sessions take their sources from, and what rests on them."},
	{Name: "models", Description: "Endpoints of models and scorers that may judge sessions: their addresses, budgets and keys."},
	webhooksTag,
	{Name: "changes", Description: "Changes of administration that a second administrator decides, where the organisation has two."},
	{Name: "invitations", Description: "Invitations to people who have an account elsewhere here to join your organisation."},
	{Name: "account", Description: "Your own account: its tokens, and who changed what of it."},
	{Name: "description", Description: "The API itself."},
}

// sharedParameters are the headers that several operations take.
var sharedParameters = openapi.Ordered[*openapi.Parameter]{
	{Name: "IdempotencyKey", Value: &openapi.Parameter{Name: "Idempotency-Key", In: "header",
		Description: "A key that the caller chooses for this one request.",
		Schema:      &openapi.Schema{Type: openapi.Types{"string"}, MaxLength: 255}}},
	{Name: "IfMatch", Value: &openapi.Parameter{Name: "If-Match", In: "header", Required: true,
		Description: "The ETag of what you read, or * for any revision.",
		Schema:      openapi.String("")}},
	{Name: "IfMatchOptional", Value: &openapi.Parameter{Name: "If-Match", In: "header",
		Description: "The ETag of what you read. Without it the change is made to the newest revision.",
		Schema:      openapi.String("")}},
	{Name: "IfNoneMatch", Value: &openapi.Parameter{Name: "If-None-Match", In: "header",
		Description: "The ETag of what you have: 304 if it is still current.",
		Schema:      openapi.String("")}},
}

// sharedHeaders are the headers of answers.
var sharedHeaders = openapi.Ordered[*openapi.Header]{
	{
		Name: "ETag",
		Value: &openapi.Header{
			Description: "Names this revision, for If-Match and If-None-Match.", Schema: openapi.String(""),
		},
	},
	{
		Name:  "Content-Location",
		Value: &openapi.Header{Description: "Where the same bytes are in the lake.", Schema: openapi.String("")},
	},
	{Name: "Location", Value: &openapi.Header{Description: "The address of the object.", Schema: openapi.String("")}},
	{
		Name: "Link",
		Value: &openapi.Header{
			Description: "The next page as rel=\"next\", if there is one.", Schema: openapi.String(""),
		},
	},
	{
		Name:  "Content-Disposition",
		Value: &openapi.Header{Description: "The name of the file.", Schema: openapi.String("")},
	},
	{
		Name: "Idempotent-Replayed",
		Value: &openapi.Header{
			Description: "true if this answer was sent before, for the same Idempotency-Key.",
			Schema:      openapi.String(""),
		},
	},
	{
		Name: "Retry-After",
		Value: &openapi.Header{
			Description: "Seconds to wait.", Schema: &openapi.Schema{Type: openapi.Types{"integer"}},
		},
	},
	{Name: "WWW-Authenticate", Value: &openapi.Header{Description: "Bearer; with 403, the scope that is needed.", Schema: openapi.String("")}},
}

// problemStatus is a status that is answered with problem details, and the endpoints that may answer it.
type problemStatus struct {
	code, name, words string
	headers           openapi.Ordered[*openapi.Header]
	holds             func(e *Call) bool
}

// component is its name among the components; code generators require that no schema has the same name.
func (p *problemStatus) component() string { return p.name + "Problem" }

func headerRefs(names ...string) (out openapi.Ordered[*openapi.Header]) {
	for _, n := range names {
		out.Set(n, &openapi.Header{Ref: "#/components/headers/" + n})
	}
	return out
}

func always(e *Call) bool { return e.Doc.Tag != "description" }

// problemStatuses are in the order of the page.
var problemStatuses = []problemStatus{
	{code: "400", name: "BadRequest",
		words: "Broken JSON, an unknown query parameter, or a value that it cannot have.",
		holds: func(e *Call) bool {
			return e.Doc.Reads != nil || e.Doc.Query != nil || e.Idempotent || e.Method == http.MethodGet &&
				always(e)
		}},
	{
		code: "401", name: "Unauthorized", words: "No token, or one that is not valid.",
		headers: headerRefs("WWW-Authenticate"), holds: always,
	},
	{
		code: "403", name: "Forbidden",
		words: "The token's role is too low, the token is narrowed to other scopes (WWW-Authenticate names the one that is " +
			"needed) or addresses, or only a person may do this.",
		headers: headerRefs("WWW-Authenticate"), holds: always,
	},
	{code: "404", name: "NotFound", words: "The id is unknown, malformed, or in another tenant.",
		holds: func(e *Call) bool { return e.hasParameter() || e.Doc.ID == "createPack" || e.Doc.ID == "setDeputy" }},
	{
		code: "409", name: "Conflict", words: "Not possible in the object's present state.",
		holds: func(e *Call) bool { return e.Doc.Conflicts },
	},
	{
		code: "410", name: "Gone",
		words:   "It was erased: when and why. Or the stored answer for this Idempotency-Key was deleted with an erasure.",
		headers: headerRefs("Idempotent-Replayed"),
		holds:   func(e *Call) bool { return e.Erasable || e.Idempotent },
	},
	{
		code: "412", name: "PreconditionFailed", words: "It has changed since you read it: If-Match is stale.",
		holds: func(e *Call) bool { return e.IfMatch },
	},
	{
		code: "413", name: "TooLarge", words: "Over a limit of bytes, items or values; path names the place, where it is one.",
		holds: func(e *Call) bool { return e.Doc.Reads != nil },
	},
	{
		code: "414", name: "PathTooLong", words: "The path has more than 2 KiB; no id of ours is that long.",
		holds: func(e *Call) bool { return e.hasParameter() },
	},
	{
		code: "415", name: "Unsupported", words: "Neither JSON nor a known format.",
		holds: func(e *Call) bool { return e.Doc.Reads != nil },
	},
	{code: "422", name: "Invalid",
		words: "A rule is broken; if there may be several, errors lists all of them. Also: the Idempotency-Key was used for another request.", headers: nil,
		holds: func(e *Call) bool { return e.Doc.Reads != nil || e.Idempotent }},
	{
		code: "428", name: "PreconditionRequired", words: "Send If-Match.",
		holds: func(e *Call) bool { return e.MatchRequired },
	},
	{
		code: "429", name: "TooManyRequests",
		words:   "Too many requests of this account, too many wrong passwords, or your own or your tenant's other requests take all the memory that they may use.",
		headers: headerRefs("Retry-After"), holds: always,
	},
	{code: "500", name: "Internal", words: "An error of the server; nothing was changed.", holds: always},
	{
		code: "503", name: "Unavailable",
		words:   "The server takes no changes at the moment, cannot check what you may do, or has too much to do; Retry-After says when to ask again.",
		headers: headerRefs("Retry-After"), holds: always,
	},
}

// hasParameter reports whether a part of the path is the caller's.
func (e *Call) hasParameter() bool {
	return strings.ContainsAny(strings.ReplaceAll(e.Path, `\:`, ""), ":*")
}

// webhooksTag is the chapter of webhooks.
var webhooksTag = openapi.Tag{
	Name:        "webhooks",
	Description: "Notify another system of events, in signed messages that contain only ids and kinds of events.",
}
