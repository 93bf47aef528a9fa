package openapi

import "encoding/json"

// Schema is a JSON Schema (2020-12), of which ours are made. The zero value takes anything.
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

// Types are the JSON types that a value may have; one of them is written as a string.
type Types []string

// MarshalJSON writes one type as a string and several as a list.
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// String is a text.
func String(description string) *Schema {
	return &Schema{Type: Types{"string"}, Description: description}
}

// Choice is one of some words.
func Choice[T ~string](words []T, description string) *Schema {
	s := String(description)
	for _, w := range words {
		s.Enum = append(s.Enum, string(w))
	}
	return s
}

// Boolean is true or false.
func Boolean(description string) *Schema {
	return &Schema{Type: Types{"boolean"}, Description: description}
}

// Between is a whole number with limits.
func Between(least, most int, description string) *Schema {
	return &Schema{Type: Types{"integer"}, Minimum: &least, Maximum: &most, Description: description}
}

// List is an array of items.
func List(items *Schema) *Schema { return &Schema{Type: Types{"array"}, Items: items} }

// Object is an object of these members, all of which are there.
func Object(members ...Named[*Schema]) *Schema {
	s := &Schema{Type: Types{"object"}, Properties: members}
	for _, m := range members {
		s.Required = append(s.Required, m.Name)
	}
	return s
}

// OrNull is a schema that also takes null.
func OrNull(s *Schema) *Schema {
	if s.Ref != "" || s.AnyOf != nil {
		return &Schema{AnyOf: []*Schema{s, {Type: Types{"null"}}}}
	}
	if s.Type == nil {
		return s // takes anything already
	}
	out := *s
	out.Type = append(Types{}, s.Type...)
	out.Type = append(out.Type, "null")
	if out.Enum != nil {
		out.Enum = append(append([]any{}, s.Enum...), nil)
	}
	return &out
}
