package openfga

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"sanad/internal/domain/access"
)

// modelJSON is the authorization model as a server takes it; model.fga says the same for people.
//
//go:embed model.json
var modelJSON []byte

// model is the part of an authorization model that Sanad looks at.
type model struct {
	ID    string     `json:"id"`
	Types []typeRule `json:"type_definitions"`
}

type typeRule struct {
	Type      string                     `json:"type"`
	Relations map[string]json.RawMessage `json:"relations"`
}

// shipped is modelJSON, read.
var shipped = readShipped()

func readShipped() map[string]map[string]json.RawMessage {
	var m model
	if err := json.Unmarshal(modelJSON, &m); err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return m.relations()
}

// relations gives the relations of each type.
func (m *model) relations() map[string]map[string]json.RawMessage {
	out := make(map[string]map[string]json.RawMessage, len(m.Types))
	for _, t := range m.Types {
		out[t.Type] = t.Relations
	}
	return out
}

// lacks names the first relation of the shipped model that m does not have, "" where it has all. An operator may write
// a stricter model, so only the names are compared.
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

// relationOf is what is asked for an action.
func relationOf(what access.Action) string { return "can_" + string(what) }

// asks tells whether the model has a rule of its own for this relation to things of this kind.
func asks(kind, relation string) bool {
	_, ok := shipped[kind][relation]
	return ok
}
