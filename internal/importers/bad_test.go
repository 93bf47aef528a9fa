package importers

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
)

// small are limits that a test can reach.
var small = Options{Bytes: 5000, DocumentBytes: 200, Answer: 100, Documents: 2, Chunks: 3, Claims: 2, Matches: 2, Reviews: 2, Unknown: 2}

const (
	head  = `{"format":"sanad.session/v1","session":{"answer":"The fee is 5 euros."},`
	docs  = `"documents":[{"id":"d","chunks":[{"id":"c1","text":"Fee: 5 euros."},{"id":"c2","text":"Other."}]}],`
	valid = head + docs + `"claims":[{"claim_text":"The fee is 5 euros","matches":[{"chunk":"c1","similarity":0.5,"support_level":"full"}]}]}`
)

func doc(body string) string   { return head + `"documents":[{"id":"d",` + body + `}]}` }
func chunk(body string) string { return doc(`"chunks":[{"text":"t",` + body + `}]`) }
func claims(body string) string {
	return head + docs + `"claims":[{"claim_text":"a"},` + body + `]}`
}
func session(body string) string { return `{"format":"sanad.session/v1","session":` + body + `}` }
func matched(body string) string { return claims(`{"claim_text":"b","matches":[` + body + `]}`) }
func nested(n int) string {
	return strings.Repeat("[", n) + strings.Repeat("]", n)
}

var badInputs = []struct {
	name, in string
	kind     domain.Kind
	path     string
	says     string // part of the message: the fault or the mend
}{
	// the JSON itself
	{"empty", "", domain.Invalid, "", "send a JSON object"},
	{"white space", " \n\t ", domain.Invalid, "", "send a JSON object"},
	{"null", "null", domain.Invalid, "", "send an object"},
	{"list", "[]", domain.Invalid, "", "send an object"},
	{"text", `"x"`, domain.Invalid, "", "send an object"},
	{"number", "12", domain.Invalid, "", "send an object"},
	{"no JSON", "hello", domain.Invalid, "", "a value is expected"},
	{"cut word", "nul", domain.Invalid, "", "send the whole"},
	{"trailing data", valid + "{}", domain.Invalid, "", "one JSON value only"},
	{"trailing comma", `{"format":"sanad.session/v1",}`, domain.Invalid, "", "a key in double quotes"},
	{"trailing comma in a list", head + `"documents":[{},]}`, domain.Invalid, "documents", "a value is expected"},
	{"no comma", `{"a":1 "b":2}`, domain.Invalid, "", `"," or "}"`},
	{"no colon", `{"a" 1}`, domain.Invalid, "a", `":"`},
	{"key without quotes", `{a:1}`, domain.Invalid, "", "a key in double quotes"},
	{"single quotes", `{'a':1}`, domain.Invalid, "", "a key in double quotes"},
	{"comment", `{/* */}`, domain.Invalid, "", "a key in double quotes"},
	{"duplicate key", `{"format":"sanad.session/v1","format":"x"}`, domain.Invalid, "format", "keep one"},
	{"duplicate key beneath", session(`{"answer":"a","answer":"b"}`), domain.Invalid, "session.answer", "keep one"},
	{"duplicate key, escaped", `{"a":1,"\u0061":2}`, domain.Invalid, "a", "keep one"},
	{"duplicate in an unknown field", session(`{"answer":"a b c.","x":{"k":1,"k":2}}`), domain.Invalid, "session.x.k", "keep one"},
	{"depth 65 in a list", nested(65), domain.Invalid, strings.Repeat("[0]", 64), "64 levels"},
	{"malformed behind a wrong type", `{"format":"sanad.session/v1","session":7,"x":{"a":1,"a":2}}`, domain.Invalid, "x.a", "keep one"},
	{"depth 65", `{"x":` + nested(64) + `}`, domain.Invalid, "x" + strings.Repeat("[0]", 63), "64 levels"},
	{"not UTF-8", session("{\"answer\":\"a\xffb\"}"), domain.Invalid, "session.answer", "save the input as UTF-8"},
	{"not UTF-8 behind an escape", session("{\"answer\":\"\\n\xc3\"}"), domain.Invalid, "session.answer", "save the input as UTF-8"},
	{"not UTF-8 in a key", "{\"\xff\":1}", domain.Invalid, "", "UTF-8"},
	{"not UTF-8 outside texts", "{\xff", domain.Invalid, "", "UTF-8"},
	{"overlong", session("{\"answer\":\"\xc0\x80\"}"), domain.Invalid, "session.answer", "UTF-8"},
	{"encoded surrogate", session("{\"answer\":\"\xed\xa0\x80\"}"), domain.Invalid, "session.answer", "UTF-8"},
	{"lone high surrogate", session(`{"answer":"\ud800"}`), domain.Invalid, "session.answer", "write both halves"},
	{"lone high surrogate before text", session(`{"answer":"\ud800x"}`), domain.Invalid, "session.answer", "write both halves"},
	{"two high surrogates", session(`{"answer":"\ud800\ud800"}`), domain.Invalid, "session.answer", "write both halves"},
	{"lone low surrogate", session(`{"answer":"\udc00"}`), domain.Invalid, "session.answer", "write both halves"},
	{"lone surrogate in a key", session(`{"\ud800":1}`), domain.Invalid, "session", "write both halves"},
	{"unknown escape", session(`{"answer":"\x41"}`), domain.Invalid, "session.answer", "double the backslash"},
	{"short escape", session(`{"answer":"\u12"}`), domain.Invalid, "session.answer", "four hex digits"},
	{"raw line break", session("{\"answer\":\"a\nb\"}"), domain.Invalid, "session.answer", `write it as \n`},
	{"raw control behind an escape", session("{\"answer\":\"\\t\x01\"}"), domain.Invalid, "session.answer", `write it as \n`},
	{"integer beyond 2^53-1", chunk(`"page_number":9007199254740992`), domain.Invalid, "documents[0].chunks[0].page_number", "2^53−1"},
	{"integer beyond, unknown field", session(`{"answer":"a b.","x":-9007199254740992}`), domain.Invalid, "session.x", "2^53−1"},
	{"infinite", session(`{"x":1e999}`), domain.Invalid, "session.x", "2^53−1"},
	{"leading zero", session(`{"x":01}`), domain.Invalid, "session.x", "JSON number"},
	{"plus", session(`{"x":+1}`), domain.Invalid, "session.x", "a value is expected"},
	{"bare point", session(`{"x":1.}`), domain.Invalid, "session.x", "JSON number"},
	{"NaN", session(`{"x":NaN}`), domain.Invalid, "session.x", "a value is expected"},
	{"two marks", "\ufeff\ufeff{}", domain.Invalid, "", "byte order mark"},

	// the format
	{"no format", `{"answer":"x"}`, domain.Unsupported, "format", `"sanad.session/v1"`},
	{"other format", `{"format":"ragas/v1"}`, domain.Unsupported, "format", "ragas/v1"},
	{"format of another type", `{"format":1}`, domain.Unsupported, "format", `"sanad.session/v1"`},
	{"next version", `{"format":"sanad.session/v2","session":{}}`, domain.Unsupported, "format", "sanad.session/v1"},
	{"ledger without sanad", `{"ledger_id":"x","entries":[]}`, domain.Unsupported, "sanad", `without its "sanad"`},
	{"ledger of another version", `{"ledger_id":"x","entries":[],"sanad":{"format":"sanad.ledger/v9","session":{}}}`, domain.Unsupported, "sanad.format", "sanad.ledger/v1"},
	{"ledger without entries", `{"ledger_id":"x","sanad":{"format":"sanad.ledger/v1","session":{}}}`, domain.Invalid, "entries", "as exported"},
	{"ledger without session", `{"ledger_id":"x","entries":[],"sanad":{"format":"sanad.ledger/v1"}}`, domain.Invalid, "sanad.session", "as exported"},

	// the session
	{"no session", `{"format":"sanad.session/v1"}`, domain.Invalid, "session", "give an object"},
	{"session null", session("null"), domain.Invalid, "session", "give an object"},
	{"session a list", session("[]"), domain.Invalid, "session", "give an object"},
	{"nothing to review", session(`{"answer":" "}`), domain.Invalid, "session.answer", "give the answer"},
	{"nothing checkable", session(`{"answer":"Hello! How are you?"}`), domain.Invalid, "session.answer", `"claims"`},
	{"answer a number", session(`{"answer":5}`), domain.Invalid, "session.answer", "double quotes"},
	{"query a list", session(`{"query":[]}`), domain.Invalid, "session.query", "double quotes"},
	{"title a bool", session(`{"title":true}`), domain.Invalid, "session.title", "double quotes"},
	{"mode an object", session(`{"mode":{}}`), domain.Invalid, "session.mode", "double quotes"},
	{"language", session(`{"answer":"x","lang":"in English"}`), domain.Invalid, "session.lang", "ar-SA"},
	{"documents an object", head + `"documents":{}}`, domain.Invalid, "documents", "give a list"},
	{"document a text", head + `"documents":["x"]}`, domain.Invalid, "documents[0]", "give an object"},
	{"document null", head + `"documents":[null]}`, domain.Invalid, "documents[0]", "leave the item out"},

	// documents
	{"no content", doc(`"filename":"f"`), domain.Invalid, "documents[0]", "exactly one of text, pages and chunks"},
	{"two contents", doc(`"text":"a","chunks":[]`), domain.Invalid, "documents[0]", "text and chunks"},
	{"three contents", doc(`"text":"a","pages":[],"chunks":[]`), domain.Invalid, "documents[0]", "text and pages and chunks"},
	{"duplicate document", head + `"documents":[{"id":"d","text":"a"},{"id":"d","text":"b"}]}`, domain.Invalid, "documents[1].id", "documents[0]"},
	{"duplicate chunk", doc(`"chunks":[{"id":"c","text":"a"},{"id":"c","text":"b"}]`), domain.Invalid, "documents[0].chunks[1].id", "give each chunk"},
	{"chunk without text", doc(`"chunks":[{"id":"c"}]`), domain.Invalid, "documents[0].chunks[0].text", "give the words"},
	{"blank chunk", doc(`"chunks":[{"text":" \n"}]`), domain.Invalid, "documents[0].chunks[0].text", "leave the chunk out"},
	{"id a number", doc(`"text":"a","uri":7`), domain.Invalid, "documents[0].uri", "double quotes"},
	{"quality a text", doc(`"text":"a","source_quality":"good"`), domain.Invalid, "documents[0].source_quality", "give a number"},
	{"quality outside", doc(`"text":"a","source_quality":1.5`), domain.Invalid, "documents[0].source_quality", "from 0 (worst) to 1 (best)"},
	{"date", doc(`"text":"a","published_at":"01/02/2024"`), domain.Invalid, "documents[0].published_at", "2024-01-31"},
	{"no such day", doc(`"text":"a","valid_until":"2024-02-30"`), domain.Invalid, "documents[0].valid_until", "2024-01-31"},
	{"supersedes nobody", doc(`"text":"a","supersedes":"x"`), domain.Invalid, "documents[0].supersedes", "add the older document"},
	{"supersedes itself", doc(`"text":"a","supersedes":"d"`), domain.Invalid, "documents[0].supersedes", "name the older one"},
	{"document language", doc(`"text":"a","lang":"x"`), domain.Invalid, "documents[0].lang", "language tag"},
	{"page 0", doc(`"pages":[{"number":0,"text":"a"}]`), domain.Invalid, "documents[0].pages[0].number", "from 1"},
	{"page a half", doc(`"pages":[{"number":1.5,"text":"a"}]`), domain.Invalid, "documents[0].pages[0].number", "whole number"},
	{"page number a text", chunk(`"page_number":"12"`), domain.Invalid, "documents[0].chunks[0].page_number", "whole number"},
	{"page number below", chunk(`"page_number":-1`), domain.Invalid, "documents[0].chunks[0].page_number", "leave it out"},
	{"heading path a text", chunk(`"heading_path":"4.2"`), domain.Invalid, "documents[0].chunks[0].heading_path", "give a list"},
	{"heading a number", chunk(`"heading_path":["4",4.2]`), domain.Invalid, "documents[0].chunks[0].heading_path[1]", "double quotes"},
	{"start alone", chunk(`"start":1`), domain.Invalid, "documents[0].chunks[0].end", "both or neither"},
	{"end alone", chunk(`"end":1`), domain.Invalid, "documents[0].chunks[0].start", "both or neither"},
	{"start below 0", chunk(`"start":-1,"end":4`), domain.Invalid, "documents[0].chunks[0].start", "code points"},
	{"end before start", chunk(`"start":4,"end":4`), domain.Invalid, "documents[0].chunks[0].end", "must be larger"},

	// claims
	{"claims a text", head + `"claims":"x"}`, domain.Invalid, "claims", "give a list"},
	{"claim without text", claims(`{"claim_id":"x"}`), domain.Invalid, "claims[1].claim_text", "give the statement"},
	{"blank claim", claims(`{"claim_text":"  "}`), domain.Invalid, "claims[1].claim_text", "leave the claim out"},
	{"duplicate claim", claims(`{"claim_id":"k","claim_text":"b"},{"claim_id":"k","claim_text":"c"}`), domain.Invalid, "claims[2].claim_id", "claims[1]"},
	{"claim type", claims(`{"claim_text":"b","claim_type":"opinion"}`), domain.Invalid, "claims[1].claim_type", "fact, policy, numeric, definition"},
	{"claim type a number", claims(`{"claim_text":"b","claim_type":1}`), domain.Invalid, "claims[1].claim_type", "double quotes"},
	{"importance", claims(`{"claim_text":"b","importance":"high"}`), domain.Invalid, "claims[1].importance", "critical, material, minor"},
	{"requires_citation a text", claims(`{"claim_text":"b","requires_citation":"yes"}`), domain.Invalid, "claims[1].requires_citation", "true or false"},
	{"offsets outside", claims(`{"claim_text":"b","start_offset":0,"end_offset":20}`), domain.Invalid, "claims[1].end_offset", "19 code points"},
	{"offset negative", claims(`{"claim_text":"b","start_offset":-1,"end_offset":2}`), domain.Invalid, "claims[1].start_offset", "below 0"},
	{"offsets turned round", claims(`{"claim_text":"b","start_offset":5,"end_offset":2}`), domain.Invalid, "claims[1].end_offset", "exclusive"},
	{"offset alone", claims(`{"claim_text":"b","start_offset":5}`), domain.Invalid, "claims[1].end_offset", "both or neither"},
	{"offset a text", claims(`{"claim_text":"b","start_offset":"5"}`), domain.Invalid, "claims[1].start_offset", "whole number"},

	// matches
	{"matches an object", claims(`{"claim_text":"b","matches":{}}`), domain.Invalid, "claims[1].matches", "give a list"},
	{"match without chunk", matched(`{"similarity":1,"support_level":"full"}`), domain.Invalid, "claims[1].matches[0].chunk", "a chunk's id"},
	{"unknown chunk", matched(`{"chunk":"c9","similarity":1,"support_level":"full"}`), domain.Invalid, "claims[1].matches[0].chunk", `"c9"`},
	{"hash of nothing", matched(`{"chunk":"0123456789","similarity":1,"support_level":"full"}`), domain.Invalid, "claims[1].matches[0].chunk", "id or hash"},
	{"chunk a number", matched(`{"chunk":1,"similarity":1,"support_level":"full"}`), domain.Invalid, "claims[1].matches[0].chunk", "double quotes"},
	{"ambiguous chunk", head + `"documents":[{"id":"d","chunks":[{"id":"c","text":"a"}]},{"id":"e","chunks":[{"id":"c","text":"b"}]}],"claims":[{"claim_text":"a","matches":[{"chunk":"c","similarity":1,"support_level":"full"}]}]}`,
		domain.Invalid, "claims[0].matches[0].chunk", "d/c or e/c"},
	{"no similarity", matched(`{"chunk":"c1","support_level":"full"}`), domain.Invalid, "claims[1].matches[0].similarity", "from 0 to 1"},
	{"similarity above", matched(`{"chunk":"c1","similarity":1.01,"support_level":"full"}`), domain.Invalid, "claims[1].matches[0].similarity", "from 0 to 1"},
	{"similarity below", matched(`{"chunk":"c1","similarity":-0.1,"support_level":"full"}`), domain.Invalid, "claims[1].matches[0].similarity", "from 0 to 1"},
	{"similarity a text", matched(`{"chunk":"c1","similarity":"1","support_level":"full"}`), domain.Invalid, "claims[1].matches[0].similarity", "give a number"},
	{"no support level", matched(`{"chunk":"c1","similarity":1}`), domain.Invalid, "claims[1].matches[0].support_level", "full, partial or none"},
	{"empty support level", matched(`{"chunk":"c1","similarity":1,"support_level":""}`), domain.Invalid, "claims[1].matches[0].support_level", "full, partial or none"},
	{"support level", matched(`{"chunk":"c1","similarity":1,"support_level":"yes"}`), domain.Invalid, "claims[1].matches[0].support_level", "full, partial, none"},
	{"contradicts null is false, a number is not", matched(`{"chunk":"c1","similarity":1,"support_level":"full","contradicts":1}`), domain.Invalid, "claims[1].matches[0].contradicts", "true or false"},
	{"snippet a list", matched(`{"chunk":"c1","similarity":1,"support_level":"full","snippet":[]}`), domain.Invalid, "claims[1].matches[0].snippet", "double quotes"},

	// limits (those of small)
	{"bytes", strings.Repeat(" ", 5001), domain.TooLarge, "", "5,000"},
	{"document bytes", doc(`"text":"` + strings.Repeat("a", 201) + `"`), domain.TooLarge, "documents[0]", "200"},
	{"document bytes in chunks", doc(`"chunks":[{"text":"` + strings.Repeat("a", 101) + `"},{"text":"` + strings.Repeat("b", 101) + `"}]`), domain.TooLarge, "documents[0]", "202"},
	{"answer", session(`{"answer":"` + strings.Repeat("م", 101) + `"}`), domain.TooLarge, "session.answer", "100"},
	{"title", session(`{"title":"` + strings.Repeat("a", 501) + `"}`), domain.TooLarge, "session.title", "500"},
	{"documents", head + `"documents":[{"text":"a"},{"text":"a"},{"text":"a"}]}`, domain.TooLarge, "documents", "2 items"},
	{"chunks of one document", doc(`"chunks":[{"text":"a"},{"text":"a"},{"text":"a"},{"text":"a"}]`), domain.TooLarge, "documents[0].chunks", "3 items"},
	{"chunks of all documents", head + `"documents":[{"chunks":[{"text":"a"},{"text":"a"}]},{"chunks":[{"text":"a"},{"text":"a"}]}]}`, domain.TooLarge, "documents[1]", "3 chunks"},
	{"claims", claims(`{"claim_text":"b"},{"claim_text":"c"}`), domain.TooLarge, "claims", "2 items"},
	{"matches", matched(`{"chunk":"c1","similarity":1,"support_level":"full"},{"chunk":"c1","similarity":1,"support_level":"full"},{"chunk":"c1","similarity":1,"support_level":"full"}`), domain.TooLarge, "claims[1].matches", "2 items"},
	{"claims of the answer", session(`{"answer":"The fee is 5 euros. The limit is 3 days. The rate is 4 percent."}`), domain.TooLarge, "session.answer", "2 claims"},
	{"id", doc(`"text":"a","title":"` + strings.Repeat("a", 501) + `"`), domain.TooLarge, "documents[0].title", "500"},
	{"unknown fields", session(`{"answer":"a b c.","x":1,"y":2,"z":3}`), domain.TooLarge, "session.z", "2 fields"},
}

func TestBadInputs(t *testing.T) {
	require.GreaterOrEqual(t, len(badInputs), 45)
	_, err := Read([]byte(valid), small)
	require.NoError(t, err, "the input that the bad ones are made from is good")
	for _, c := range badInputs {
		t.Run(c.name, func(t *testing.T) {
			limits := small
			if c.kind != domain.TooLarge {
				limits = Options{}
			}
			_, err := Read([]byte(c.in), limits)
			var e *domain.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.kind, e.Kind, e.Error())
			require.Equal(t, c.path, e.Path, e.Msg)
			require.Contains(t, e.Msg, c.says)
			require.LessOrEqual(t, len(e.Msg), 400)
		})
	}
}

// TestTruncated cuts a good file everywhere: never read, always told so, and no place is named beyond the cut.
func TestTruncated(t *testing.T) {
	data := bytes.TrimSpace(sample(t))
	for i := 1; i < len(data); i++ {
		_, err := Read(data[:i], Options{})
		var e *domain.Error
		require.ErrorAs(t, err, &e, i)
		require.Equal(t, domain.Invalid, e.Kind)
		require.ErrorIs(t, err, ErrMalformed)
		if strings.Contains(e.Msg, "UTF-8") { // cut within a character
			continue
		}
		require.Contains(t, e.Msg, "send the whole of it", i)
	}
}

func TestStrictIsNotTooStrict(t *testing.T) {
	for _, in := range []string{
		`{"x":` + nested(63) + `}`, `{"x":"\ud83d\ude00 \u00e9 \/ \" \\ \b\f\n\r\t"}`, `{"x":-0.0e+5}`, `{"x":9007199254740991}`, "\t{\n}\r ", `{"":1}`,
		`{"x":[null,true,false,1.5,"a",{"y":[]}]}`, `{"x":"` + "\u2028\x7f" + `"}`,
	} {
		var got, want map[string]any
		require.NoError(t, Decode([]byte(in), &got, Strict{}), in)
		require.NoError(t, json.Unmarshal([]byte(in), &want))
		require.Equal(t, want, got)
	}
}

func TestDecodeStrict(t *testing.T) {
	var v struct {
		Name  string         `json:"name"`
		List  []int          `json:"list"`
		Opt   *float64       `json:"opt"`
		Free  any            `json:"free"`
		Map   map[string]any `json:"map"`
		Array [2]int         `json:"array"`
	}
	require.NoError(t, DecodeStrict([]byte(`{"name":"a","list":[1,2.0],"opt":1.5,"free":{"a":[1]},"map":{"k":"v"},"array":[1,2]}`), &v))
	require.Equal(t, []int{1, 2}, v.List)
	require.Equal(t, [2]int{1, 2}, v.Array)
	for in, path := range map[string]string{
		`null`: "", `{"nome":1}`: "nome", `{"Name":"a"}`: "Name", `{"list":[1,"2"]}`: "list[1]", `{"map":{"a b":{"c":"\ud800"}}}`: `map["a b"].c`, `{"array":"x"}`: "array",
	} {
		err := DecodeStrict([]byte(in), &v)
		var e *domain.Error
		require.ErrorAs(t, err, &e, in)
		require.Equal(t, path, e.Path)
		require.Equal(t, strings.Contains(in, "ud800"), errors.Is(err, ErrMalformed))
	}
}

// TestRowIDs: an id is echoed as it is written, also where another field is broken.
func TestRowIDs(t *testing.T) {
	for in, want := range map[string]struct{ id, err string }{
		`{"id":1.50,"claim":"a","evidence":[],"x":{"label":[1]}}`: {"1.50", ""},
		`{"id":-0,"claim":"a","evidence":[]}`:                     {"-0", ""},
		`{"id":null,"claim":"a","evidence":[]}`:                   {"", ""},
		`{"id":"a\u00e9","claim":"a","evidence":[]}`:              {"aé", ""},
		`{"id":{},"claim":"a","evidence":[]}`:                     {"", "id: This is an object"},
		`{"id":true,"claim":"a","evidence":[]}`:                   {"", "id: "},
		`{"claim":5,"id":"behind"}`:                               {"behind", "claim: "},
		`{"evidence":[{"doc":"d"}],"id":12}`:                      {"12", "evidence[0].text"},
		`{"id":"first","claim":"a","evidence":[`:                  {"first", "send the whole"},
		`{"id":3,"claim":" ","evidence":[]}`:                      {"3", "claim: This is empty"},
		`[]`:                                                      {"", "send an object"},
	} {
		row, err := ReadRow([]byte(in))
		require.Equal(t, want.id, row.ID, in)
		if want.err == "" {
			require.NoError(t, err, in)
		} else {
			require.ErrorContains(t, err, want.err, in)
		}
	}
}

func TestReadRow(t *testing.T) {
	row, err := ReadRow([]byte(`{"id":7,"claim":"a","evidence":[{"doc":"d","text":"t"}],"label":"supported"}`))
	require.NoError(t, err)
	require.Equal(t, "7", row.ID)
	require.Equal(t, "t", row.Evidence[0].Text)
	row, err = ReadRow([]byte(`{"id":"x","claim":5}`))
	require.ErrorContains(t, err, "claim")
	require.Equal(t, "x", row.ID)
	_, err = ReadRow([]byte(`{"id":"x","claim":"a"}`))
	require.ErrorContains(t, err, "evidence")
}
