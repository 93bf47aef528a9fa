package openapi

import "encoding/json"

// Schema is a JSON Schema (2020-12), limited to the keywords used here. The zero value accepts anything.
type Schema struct {
	Ref         string           `json:"$ref,omitempty"`
	Type        Types            `json:"type,omitempty"`
	Description string           `json:"description,omitempty"`
	Format      string           `json:"format,omitempty"`
	Pattern     string           `json:"pattern,omitempty"`
	Enum        []any            `json:"enum,omitempty"`
	Default     any              `json:"default,omitempty"`
	Minimum     *int             `json:"minimum,omitempty"`
	Maximum     *int             `json:"maximum,omitempty"`
	MaxLength   int              `json:"maxLength,omitempty"`
	Properties  Ordered[*Schema] `json:"properties,omitempty"`
	Required    []string         `json:"required,omitempty"`
	Additional  any              `json:"additionalProperties,omitempty"` // false, or the *Schema of all other members
	Items       *Schema          `json:"items,omitempty"`
	AnyOf       []*Schema        `json:"anyOf,omitempty"`
}

// Types are the JSON types that a value may have; a single one is written as a string.
type Types []string

// MarshalJSON writes one type as a string and several as a list.
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// String returns the schema of a string.
func String(description string) *Schema {
	return &Schema{Type: Types{"string"}, Description: description}
}

// Choice returns the schema of a string that is one of the given words.
func Choice[T ~string](words []T, description string) *Schema {
	s := String(description)
	for _, w := range words {
		s.Enum = append(s.Enum, string(w))
	}
	return s
}

// Boolean returns the schema of a boolean.
func Boolean(description string) *Schema {
	return &Schema{Type: Types{"boolean"}, Description: description}
}

// Between returns the schema of an integer within limits.
func Between(least, most int, description string) *Schema {
	return &Schema{Type: Types{"integer"}, Minimum: &least, Maximum: &most, Description: description}
}

// List returns the schema of an array of items.
func List(items *Schema) *Schema { return &Schema{Type: Types{"array"}, Items: items} }

// Object returns the schema of an object with these members, all of them required.
func Object(members ...Named[*Schema]) *Schema {
	s := &Schema{Type: Types{"object"}, Properties: members}
	for _, m := range members {
		s.Required = append(s.Required, m.Name)
	}
	return s
}

// OrNull returns a schema that also accepts null.
func OrNull(s *Schema) *Schema {
	if s.Ref != "" || s.AnyOf != nil {
		return &Schema{AnyOf: []*Schema{s, {Type: Types{"null"}}}}
	}
	if s.Type == nil {
		return s // already accepts anything
	}
	out := *s
	out.Type = append(Types{}, s.Type...)
	out.Type = append(out.Type, "null")
	if out.Enum != nil {
		out.Enum = append(append([]any{}, s.Enum...), nil)
	}
	return &out
}
