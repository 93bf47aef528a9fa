package openfga

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
)

var update = flag.Bool("update", false, "write model.json from model.fga")

// model.json must match model.fga. The interop test shows that a server accepts it and answers correctly.
func TestModelMatchesDSL(t *testing.T) {
	text, err := os.ReadFile("model.fga")
	require.NoError(t, err)
	want, err := json.MarshalIndent(fromDSL(t, string(text)), "", "  ")
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile("model.json", append(want, '\n'), 0o644))
		return
	}
	got, err := os.ReadFile("model.json")
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(got), "run: go test ./internal/openfga -run TestModel -update")
}

// Every action but Public has a relation, and the names of rule P-20 are there.
func TestEveryActionHasARelation(t *testing.T) {
	require.NotEmpty(t, access.Actions())
	for _, what := range access.Actions() {
		require.True(t, asks("tenant", relationOf(what)), "model.fga has no rule for %s", what)
	}
	require.False(t, asks("tenant", relationOf(access.Public)))
	for _, name := range []string{"view", "review", "approve", "export"} {
		require.True(t, asks("evidence_pack", "can_"+name+"_evidence_pack"))
	}
	for kind, relations := range shipped {
		for relation := range relations {
			if kind != "tenant" && relation != "tenant" {
				require.True(t, asks("tenant", relation), "%s has %s, which tenant lacks", kind, relation)
			}
		}
	}
}

func TestLacks(t *testing.T) {
	var m model
	require.NoError(t, json.Unmarshal(modelJSON, &m))
	require.Empty(t, m.lacks())
	for i := range m.Types {
		if m.Types[i].Type == "session" {
			delete(m.Types[i].Relations, "can_read_ledger")
		}
	}
	require.Equal(t, "session#can_read_ledger", m.lacks())
	require.Equal(t, "document#can_copy_file", (&model{}).lacks())
}

type object = map[string]any

// fromDSL parses the part of OpenFGA's modelling language that model.fga uses: types, and relations that are stored
// ([user]), equal to another relation, inherited from the parent (x from y), or a union of these (or).
func fromDSL(t *testing.T, text string) object {
	t.Helper()
	out := object{"schema_version": "1.1"}
	var types []object
	for _, line := range strings.Split(text, "\n") {
		name, rule, defines := strings.Cut(strings.TrimPrefix(line, "    define "), ": ")
		kind, isType := strings.CutPrefix(line, "type ")
		switch {
		case isType:
			types = append(types, object{"type": kind})
		case strings.HasPrefix(line, "    define ") && defines:
			define(types[len(types)-1], name, rule)
		case line == "", strings.HasPrefix(line, "#"), line == "model", line == "  schema 1.1", line == "  relations":
		default:
			t.Fatalf("the test does not read this line of model.fga: %q", line)
		}
	}
	out["type_definitions"] = types
	return out
}

func define(kind object, name, rule string) {
	if kind["relations"] == nil {
		kind["relations"], kind["metadata"] = object{}, object{"relations": object{}}
	}
	var terms []object
	for _, term := range strings.Split(rule, " or ") {
		relation, parent, from := strings.Cut(term, " from ")
		switch {
		case strings.HasPrefix(term, "["):
			terms = append(terms, object{"this": object{}})
			stored := object{"directly_related_user_types": []object{{"type": strings.Trim(term, "[]")}}}
			kind["metadata"].(object)["relations"].(object)[name] = stored
		case from:
			terms = append(terms, object{"tupleToUserset": object{
				"tupleset": object{"relation": parent}, "computedUserset": object{"relation": relation}}})
		default:
			terms = append(terms, object{"computedUserset": object{"relation": relation}})
		}
	}
	rules := terms[0]
	if len(terms) > 1 {
		rules = object{"union": object{"child": terms}}
	}
	kind["relations"].(object)[name] = rules
}
