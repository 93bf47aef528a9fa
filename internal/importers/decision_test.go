package importers

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/pack"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// decision is a complete decision; secret is a text in its S3 parts.
const (
	secret   = "patient 4711 is ill"
	decision = `{"decision_id":"dec_1","entity_id":"lead_1","agent_name":"matcher","model":"m","model_version":"1","decided_at":"2026-03-01T09:30:00Z",
 "title":"Fit","statement":"It fits.","approval_class":"A2","reversibility_class":"R1","sensitivity_class":"S1","confidence":0.84,"high_stakes":true,
 "data_freshness_window_hours":24,"trace_id":"t",
 "evidence":[{"source":"crm","uri":"hubspot://contacts/456","excerpt":"Company size: 120 employees","retrieved_at":"2026-03-01T09:00:00Z","confidence":0.9},
  {"source":"file","internal_ref":"f/1","excerpt":"` + secret +
		`","retrieved_at":"2026-03-01T09:00:00Z","confidence":0.5,"sensitivity_class":"S3"}],
 "tool_calls":[{"tool_name":"get","intended_action":"read","actual_action":"none","inputs":{"id":"456","deep":[1,2.5]},"error":"timeout"}],
 "prompts":[{"template_name":"icp","template_version":"1.0"}]}`
)

// with returns the decision with one text replaced.
func with(t *testing.T, old, new string) string {
	t.Helper()
	require.Equal(t, 1, strings.Count(decision, old), old)
	return strings.Replace(decision, old, new, 1)
}

func TestReadDecision(t *testing.T) {
	d, warnings, err := ReadDecision([]byte(decision))
	require.NoError(t, err)
	require.Empty(t, warnings)
	require.Equal(t, "dec_1", d.DecisionID)
	require.Equal(t, 24, *d.FreshnessWindowHours)
	require.Len(t, d.Evidence, 2)
	require.Equal(t, secret, d.Evidence[1].Excerpt)
	require.JSONEq(t, `{"id":"456","deep":[1,2.5]}`, string(d.ToolCalls[0].Inputs))
	require.Equal(t, pack.Mandatory, pack.Requires(&d.Header).Level)

	stated, _, err := ReadDecision([]byte("\ufeff" + with(t, `{"decision_id"`,
		`{"format":"sanad.decision/v1","decision_id"`)))
	require.NoError(t, err)
	require.Equal(t, d, stated)
}

func TestReadDecisionRefuses(t *testing.T) {
	for _, c := range []struct {
		name, in  string
		malformed bool
		kind      domain.Kind
		path      string
		says      string
	}{
		{name: "empty", malformed: true, kind: domain.Invalid, says: "send a JSON object"},
		{name: "a list", in: "[]", kind: domain.Invalid, says: "send an object"},
		{
			name: "duplicate key", in: with(t, `"title":"Fit"`, `"title":"Fit","title":"Fit"`),
			malformed: true, kind: domain.Invalid, path: "title", says: "keep one",
		},
		{
			name: "duplicate key in inputs", in: with(t, `{"id":"456"`, `{"id":1,"id":"456"`), malformed: true,
			kind: domain.Invalid, path: "tool_calls[0].inputs.id", says: "keep one",
		},
		{
			name: "lone surrogate", in: with(t, `"timeout"`, `"\ud800"`), malformed: true,
			kind: domain.Invalid, path: "tool_calls[0].error", says: "half of a surrogate pair",
		},
		{
			name: "lone surrogate in inputs", in: with(t, `"456","deep"`, `"\udc00","deep"`), malformed: true,
			kind: domain.Invalid, path: "tool_calls[0].inputs.id", says: "half of a surrogate pair",
		},
		{
			name: "no UTF-8", in: with(t, "It fits.", "\xff"), malformed: true, kind: domain.Invalid,
			path: "statement", says: "not UTF-8",
		},
		{
			name: "trailing data", in: decision + "{}", malformed: true, kind: domain.Invalid,
			says: "one JSON value only",
		},
		{name: "cut", in: decision[:len(decision)-1], malformed: true, kind: domain.Invalid, says: "send the whole"},
		{
			name: "too deep",
			in: with(t, `[1,2.5]`,
				strings.Repeat("[", strictjson.MaxDepth)+strings.Repeat("]", strictjson.MaxDepth)),
			malformed: true, kind: domain.Invalid,
			path: "tool_calls[0].inputs.deep" + strings.Repeat("[0]", strictjson.MaxDepth-4), says: "nested more than",
		},
		{
			name: "large number", in: with(t, `[1,2.5]`, "9007199254740993"), malformed: true,
			kind: domain.Invalid, path: "tool_calls[0].inputs.deep", says: "2^53",
		},
		{
			name: "another type", in: with(t, `"confidence":0.84`, `"confidence":"high"`),
			kind: domain.Invalid, path: "confidence", says: "a number",
		},
		{
			name: "another format",
			in:   with(t, `{"decision_id"`, `{"format":"sanad.session/v1","decision_id"`),
			kind: domain.Unsupported, path: "format", says: DecisionFormat,
		},
		{name: "no id", in: with(t, `"dec_1"`, `""`), kind: domain.Invalid, path: "decision_id", says: "missing"},
		{
			name: "no such class", in: with(t, `"A2"`, `"A4"`), kind: domain.Invalid, path: "approval_class",
			says: "A0, A1, A2, A3",
		},
		{
			name: "no time", in: with(t, `"2026-03-01T09:30:00Z"`, `"yesterday"`), kind: domain.Invalid,
			path: "decided_at", says: "RFC 3339",
		},
		{name: "confidence", in: with(t, `0.84`, `1.84`), kind: domain.Invalid, path: "confidence", says: "0 to 1"},
		{
			name: "a hash", in: with(t, `"excerpt":"Company`, `"content_hash":"xyz","excerpt":"Company`),
			kind: domain.Invalid, path: "evidence[0].content_hash", says: "64 hex",
		},
		{name: "too many", in: with(t, `[{"template_name":"icp","template_version":"1.0"}]`,
			"["+strings.Repeat(`{"template_name":"icp"},`, pack.MaxItems)+`{"template_name":"x"}]`),
			kind: domain.TooLarge, path: "prompts", says: "the limit is 1000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := ReadDecision([]byte(c.in))
			tidy(t, err)
			var e *domain.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.kind, e.Kind, err)
			require.Equal(t, c.path, e.Path, err)
			require.Contains(t, e.Text(), c.says)
			require.Equal(t, c.malformed, errors.Is(err, strictjson.ErrMalformed))
			require.NotContains(t, err.Error(), secret)
		})
	}
	_, _, err := ReadDecision(make([]byte, MaxDecision+1))
	require.Equal(t, domain.TooLarge, domain.KindOf(err))
}

// TestReadDecisionSaysAll checks that all faults are reported at once, each with its place.
func TestReadDecisionSaysAll(t *testing.T) {
	_, _, err := ReadDecision([]byte(`{"decided_at":"x","confidence":2,"evidence":[{"retrieved_at":"y","excerpt":"` +
		secret + `"}]}`))
	var all *DecisionError
	require.ErrorAs(t, err, &all)
	var paths []string
	for _, f := range all.Faults {
		paths = append(paths, f.Path)
		require.NotContains(t, f.Text(), secret)
	}
	require.Equal(t, []string{"decision_id", "entity_id", "agent_name", "decided_at", "title", "statement",
		"approval_class", "reversibility_class",
		"sensitivity_class", "confidence", "evidence[0].retrieved_at"}, paths)
	require.Contains(t, err.Error(), "10 more below")
}

// TestReadDecisionWarns checks that an unknown field is named once, however many items have it, and never quoted.
func TestReadDecisionWarns(t *testing.T) {
	in := with(t, `{"source":"crm"`, `{"raw":"`+secret+`","source":"crm"`)
	in = strings.Replace(in, `{"source":"file"`, `{"raw":"x","source":"file"`, 1)
	in = strings.Replace(in, `"trace_id":"t"`, `"trace_id":"t","owner":"me"`, 1)
	_, warnings, err := ReadDecision([]byte(in))
	require.NoError(t, err)
	field := words.Msg("warning_decision_field")
	require.Equal(t, []domain.Warning{
		domain.Warn("owner", field),
		domain.Warn("evidence[0].raw", words.Msg("warning_often", "Why", field, "N", 1)),
	}, warnings)
	require.Equal(t, "A decision has no such field; it was left out. (Also in 1 more place.)", warnings[1].Msg)
}

func TestIsDecision(t *testing.T) {
	for in, want := range map[string]bool{
		decision: true, decision[:40]: true, `{"format":"sanad.decision/v1"}`: true, `{"decision_id":1}`: true,
		valid: false, `{"format":"sanad.session/v1","decision_id":"d"}`: false,
		`{"ledger_id":"x","sanad":{},"decision_id":"d"}`: false,
		`[]`: false, ``: false, `{}`: false, `{"session":{"decision_id":"d"}}`: false,
		`{"format":12,"decision_id":"d"}`: false,
	} {
		require.Equal(t, want, IsDecision([]byte(in)), in)
	}
}

// TestShippedDecisions checks that the examples we ship are decisions and are read without a warning.
func TestShippedDecisions(t *testing.T) {
	files, err := filepath.Glob("../../cmd/web/demo/decision-*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		require.True(t, IsDecision(data), name)
		_, warnings, err := ReadDecision(data)
		require.NoError(t, err, name)
		require.Empty(t, warnings, name)
	}
}

// FuzzReadDecision checks that any input gives a clear error, or a decision that can be written as canonical JSON.
func FuzzReadDecision(f *testing.F) {
	f.Add([]byte(decision))
	f.Add([]byte(valid))
	for _, c := range badInputs {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		IsDecision(data)
		d, _, err := ReadDecision(data)
		if err != nil {
			tidy(t, err)
			return
		}
		content, err := canonical.JSON(d)
		require.NoError(t, err)
		var again pack.Decision
		require.NoError(t, json.Unmarshal(content, &again))
	})
}
