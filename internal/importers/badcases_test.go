package importers

import (
	"slices"
	"strings"

	"sanad/internal/domain"
)

// small has limits that are low enough to reach in a test.
var small = Options{
	Bytes: 5000, DocumentBytes: 200, Answer: 100, Documents: 2, Chunks: 3, Claims: 2, Matches: 2, Reviews: 2,
	Unknown: 2,
}

const (
	head  = `{"format":"sanad.session/v1","session":{"answer":"The fee is 5 euros."},`
	docs  = `"documents":[{"id":"d","chunks":[{"id":"c1","text":"Fee: 5 euros."},{"id":"c2","text":"Other."}]}],`
	valid = head + docs + `"claims":[{"claim_text":"The fee is 5 euros","matches":[{"chunk":"c1","similarity":0.5,` +
		`"support_level":"full"}]}]}`
)

func doc(body string) string   { return head + `"documents":[{"id":"d",` + body + `}]}` }
func chunk(body string) string { return doc(`"chunks":[{"text":"t",` + body + `}]`) }
func claimsOf(body string) string {
	return head + docs + `"claims":[{"claim_text":"a"},` + body + `]}`
}
func session(body string) string { return `{"format":"sanad.session/v1","session":` + body + `}` }
func matched(body string) string { return claimsOf(`{"claim_text":"b","matches":[` + body + `]}`) }
func nested(n int) string {
	return strings.Repeat("[", n) + strings.Repeat("]", n)
}

// badInput is an input that Read refuses, with the place and a part of the message.
type badInput struct {
	name, in string
	kind     domain.Kind
	path     string
	says     string // part of the message: the fault or how to fix it
}

// badInputs are all of them.
var badInputs = slices.Concat(badJSON, badFormats, badSessions, badDocuments, badClaims, badMatches, badSizes)

// badJSON are faults of the JSON itself.
var badJSON = []badInput{
	{name: "empty", kind: domain.Invalid, says: "send a JSON object"},
	{name: "white space", in: " \n\t ", kind: domain.Invalid, says: "send a JSON object"},
	{name: "null", in: "null", kind: domain.Invalid, says: "send an object"},
	{name: "list", in: "[]", kind: domain.Invalid, says: "send an object"},
	{name: "text", in: `"x"`, kind: domain.Invalid, says: "send an object"},
	{name: "number", in: "12", kind: domain.Invalid, says: "send an object"},
	{name: "no JSON", in: "hello", kind: domain.Invalid, says: "a value is expected"},
	{name: "cut word", in: "nul", kind: domain.Invalid, says: "send the whole"},
	{name: "trailing data", in: valid + "{}", kind: domain.Invalid, says: "one JSON value only"},
	{
		name: "trailing comma", in: `{"format":"sanad.session/v1",}`, kind: domain.Invalid,
		says: "a key in double quotes",
	},
	{
		name: "trailing comma in a list", in: head + `"documents":[{},]}`, kind: domain.Invalid,
		path: "documents", says: "a value is expected",
	},
	{name: "no comma", in: `{"a":1 "b":2}`, kind: domain.Invalid, says: `"," or "}"`},
	{name: "no colon", in: `{"a" 1}`, kind: domain.Invalid, path: "a", says: `":"`},
	{name: "key without quotes", in: `{a:1}`, kind: domain.Invalid, says: "a key in double quotes"},
	{name: "single quotes", in: `{'a':1}`, kind: domain.Invalid, says: "a key in double quotes"},
	{name: "comment", in: `{/* */}`, kind: domain.Invalid, says: "a key in double quotes"},
	{
		name: "duplicate key", in: `{"format":"sanad.session/v1","format":"x"}`, kind: domain.Invalid,
		path: "format", says: "keep one",
	},
	{
		name: "duplicate key beneath", in: session(`{"answer":"a","answer":"b"}`), kind: domain.Invalid,
		path: "session.answer", says: "keep one",
	},
	{name: "duplicate key, escaped", in: `{"a":1,"\u0061":2}`, kind: domain.Invalid, path: "a", says: "keep one"},
	{
		name: "duplicate in an unknown field", in: session(`{"answer":"a b c.","x":{"k":1,"k":2}}`),
		kind: domain.Invalid, path: "session.x.k", says: "keep one",
	},
	{
		name: "depth 65 in a list", in: nested(65), kind: domain.Invalid, path: strings.Repeat("[0]", 64),
		says: "64 levels",
	},
	{
		name: "malformed behind a wrong type",
		in:   `{"format":"sanad.session/v1","session":7,"x":{"a":1,"a":2}}`, kind: domain.Invalid, path: "x.a",
		says: "keep one",
	},
	{
		name: "depth 65", in: `{"x":` + nested(64) + `}`, kind: domain.Invalid,
		path: "x" + strings.Repeat("[0]", 63), says: "64 levels",
	},
	{
		name: "not UTF-8", in: session("{\"answer\":\"a\xffb\"}"), kind: domain.Invalid,
		path: "session.answer", says: "save the input as UTF-8",
	},
	{
		name: "not UTF-8 behind an escape", in: session("{\"answer\":\"\\n\xc3\"}"), kind: domain.Invalid,
		path: "session.answer", says: "save the input as UTF-8",
	},
	{name: "not UTF-8 in a key", in: "{\"\xff\":1}", kind: domain.Invalid, says: "UTF-8"},
	{name: "not UTF-8 outside texts", in: "{\xff", kind: domain.Invalid, says: "UTF-8"},
	{
		name: "overlong", in: session("{\"answer\":\"\xc0\x80\"}"), kind: domain.Invalid,
		path: "session.answer", says: "UTF-8",
	},
	{
		name: "encoded surrogate", in: session("{\"answer\":\"\xed\xa0\x80\"}"), kind: domain.Invalid,
		path: "session.answer", says: "UTF-8",
	},
	{
		name: "lone high surrogate", in: session(`{"answer":"\ud800"}`), kind: domain.Invalid,
		path: "session.answer", says: "write both halves",
	},
	{
		name: "lone high surrogate before text", in: session(`{"answer":"\ud800x"}`), kind: domain.Invalid,
		path: "session.answer", says: "write both halves",
	},
	{
		name: "two high surrogates", in: session(`{"answer":"\ud800\ud800"}`), kind: domain.Invalid,
		path: "session.answer", says: "write both halves",
	},
	{
		name: "lone low surrogate", in: session(`{"answer":"\udc00"}`), kind: domain.Invalid,
		path: "session.answer", says: "write both halves",
	},
	{
		name: "lone surrogate in a key", in: session(`{"\ud800":1}`), kind: domain.Invalid, path: "session",
		says: "write both halves",
	},
	{
		name: "unknown escape", in: session(`{"answer":"\x41"}`), kind: domain.Invalid, path: "session.answer",
		says: "double the backslash",
	},
	{
		name: "short escape", in: session(`{"answer":"\u12"}`), kind: domain.Invalid, path: "session.answer",
		says: "four hex digits",
	},
	{
		name: "raw line break", in: session("{\"answer\":\"a\nb\"}"), kind: domain.Invalid,
		path: "session.answer", says: `write it as \n`,
	},
	{
		name: "raw control behind an escape", in: session("{\"answer\":\"\\t\x01\"}"), kind: domain.Invalid,
		path: "session.answer", says: `write it as \n`,
	},
	{
		name: "integer beyond 2^53-1", in: chunk(`"page_number":9007199254740992`), kind: domain.Invalid,
		path: "documents[0].chunks[0].page_number", says: "2^53−1",
	},
	{
		name: "integer beyond, unknown field", in: session(`{"answer":"a b.","x":-9007199254740992}`),
		kind: domain.Invalid, path: "session.x", says: "2^53−1",
	},
	{name: "infinite", in: session(`{"x":1e999}`), kind: domain.Invalid, path: "session.x", says: "2^53−1"},
	{name: "leading zero", in: session(`{"x":01}`), kind: domain.Invalid, path: "session.x", says: "JSON number"},
	{name: "plus", in: session(`{"x":+1}`), kind: domain.Invalid, path: "session.x", says: "a value is expected"},
	{name: "bare point", in: session(`{"x":1.}`), kind: domain.Invalid, path: "session.x", says: "JSON number"},
	{name: "NaN", in: session(`{"x":NaN}`), kind: domain.Invalid, path: "session.x", says: "NaN is not JSON; write null"},
	{name: "two marks", in: "\ufeff\ufeff{}", kind: domain.Invalid, says: "byte order mark"},
}

// badFormats name no format that is read.
var badFormats = []badInput{
	{name: "no format", in: `{"answer":"x"}`, kind: domain.Unsupported, path: "format", says: `"sanad.session/v1"`},
	{name: "other format", in: `{"format":"ragas/v1"}`, kind: domain.Unsupported, path: "format", says: "ragas/v1"},
	{
		name: "format of another type", in: `{"format":1}`, kind: domain.Unsupported, path: "format",
		says: `"sanad.session/v1"`,
	},
	{
		name: "next version", in: `{"format":"sanad.session/v2","session":{}}`, kind: domain.Unsupported,
		path: "format", says: "sanad.session/v1",
	},
	{
		name: "ledger without sanad", in: `{"ledger_id":"x","entries":[]}`, kind: domain.Unsupported,
		path: "sanad", says: `without its "sanad"`,
	},
	{
		name: "ledger of another version",
		in:   `{"ledger_id":"x","entries":[],"sanad":{"format":"sanad.ledger/v9","session":{}}}`,
		kind: domain.Unsupported, path: "sanad.format", says: "sanad.ledger/v1",
	},
	{
		name: "ledger without entries",
		in:   `{"ledger_id":"x","sanad":{"format":"sanad.ledger/v1","session":{}}}`, kind: domain.Invalid,
		path: "entries", says: "as exported",
	},
	{
		name: "ledger without session",
		in:   `{"ledger_id":"x","entries":[],"sanad":{"format":"sanad.ledger/v1"}}`, kind: domain.Invalid,
		path: "sanad.session", says: "as exported",
	},
}

// badSizes are over the limits of small.
var badSizes = []badInput{
	{name: "bytes", in: strings.Repeat(" ", 5001), kind: domain.TooLarge, says: "5,000"},
	{
		name: "document bytes", in: doc(`"text":"` + strings.Repeat("a", 201) + `"`), kind: domain.TooLarge,
		path: "documents[0]", says: "200",
	},
	{
		name: "document bytes in chunks",
		in:   doc(`"chunks":[{"text":"` + strings.Repeat("a", 101) + `"},{"text":"` + strings.Repeat("b", 101) + `"}]`),
		kind: domain.TooLarge, path: "documents[0]", says: "202",
	},
	{
		name: "answer", in: session(`{"answer":"` + strings.Repeat("م", 101) + `"}`), kind: domain.TooLarge,
		path: "session.answer", says: "100",
	},
	{
		name: "title", in: session(`{"title":"` + strings.Repeat("a", 501) + `"}`), kind: domain.TooLarge,
		path: "session.title", says: "500",
	},
	{
		name: "documents", in: head + `"documents":[{"text":"a"},{"text":"a"},{"text":"a"}]}`,
		kind: domain.TooLarge, path: "documents", says: "2 items",
	},
	{
		name: "chunks of one document",
		in:   doc(`"chunks":[{"text":"a"},{"text":"a"},{"text":"a"},{"text":"a"}]`), kind: domain.TooLarge,
		path: "documents[0].chunks", says: "3 items",
	},
	{
		name: "chunks of all documents",
		in:   head + `"documents":[{"chunks":[{"text":"a"},{"text":"a"}]},{"chunks":[{"text":"a"},{"text":"a"}]}]}`,
		kind: domain.TooLarge, path: "documents[1]", says: "3 chunks",
	},
	{
		name: "claims", in: claimsOf(`{"claim_text":"b"},{"claim_text":"c"}`), kind: domain.TooLarge,
		path: "claims", says: "2 items",
	},
	{
		name: "matches",
		in: matched(`{"chunk":"c1","similarity":1,"support_level":"full"},{"chunk":"c1","similarity":1,` +
			`"support_level":"full"},{"chunk":"c1","similarity":1,"support_level":"full"}`),
		kind: domain.TooLarge, path: "claims[1].matches", says: "2 items",
	},
	{
		name: "claims of the answer",
		in:   session(`{"answer":"The fee is 5 euros. The limit is 3 days. The rate is 4 percent."}`),
		kind: domain.TooLarge, path: "session.answer", says: "2 claims",
	},
	{
		name: "id", in: doc(`"text":"a","title":"` + strings.Repeat("a", 501) + `"`), kind: domain.TooLarge,
		path: "documents[0].title", says: "500",
	},
	{
		name: "unknown fields", in: session(`{"answer":"a b c.","x":1,"y":2,"z":3}`), kind: domain.TooLarge,
		path: "session.z", says: "2 unknown fields",
	},
}
