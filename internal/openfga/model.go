package openfga

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"sanad/internal/domain/access"
)

// modelJSON is the authorization model in the server's format; model.fga says the same for people.
//
//go:embed model.json
var modelJSON []byte

// model is the part of an authorization model that Sanad uses.
type model struct {
	ID    string     `json:"id"`
	Types []typeRule `json:"type_definitions"`
}

type typeRule struct {
	Type      string                     `json:"type"`
	Relations map[string]json.RawMessage `json:"relations"`
}

// shipped is the parsed modelJSON.
var shipped = readShipped()

func readShipped() map[string]map[string]json.RawMessage {
	var m model
	if err := json.Unmarshal(modelJSON, &m); err != nil {
		panic(err) // the file is embedded, and a test parses it
	}
	return m.relations()
}

// relations returns the relations of each type.
func (m *model) relations() map[string]map[string]json.RawMessage {
	out := make(map[string]map[string]json.RawMessage, len(m.Types))
	for _, t := range m.Types {
		out[t.Type] = t.Relations
	}
	return out
}

// lacks returns the first relation of the shipped model that m does not have, or "" if it has all. Only names are
// compared, since an operator may write a stricter model.
func (m *model) lacks() string {
	has := m.relations()
	for _, kind := range slices.Sorted(maps.Keys(shipped)) {
		for _, relation := range slices.Sorted(maps.Keys(shipped[kind])) {
			if _, ok := has[kind][relation]; !ok {
				return fmt.Sprintf("%s#%s", kind, relation)
			}
		}
	}
	return ""
}

// relationOf returns the relation that is checked for an action.
func relationOf(what access.Action) string { return "can_" + string(what) }

// asks reports whether the model has its own rule for this relation to objects of this kind.
func asks(kind, relation string) bool {
	_, ok := shipped[kind][relation]
	return ok
}
