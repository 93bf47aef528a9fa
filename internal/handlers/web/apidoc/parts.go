package apidoc

import (
	"sanad/internal/domain/filter"
	"sanad/internal/exporters"
	"sanad/internal/importers"
	"sanad/internal/openapi"
)

// Unchanged is the 304 for a matching If-None-Match.
var Unchanged = Answer{Status: "304", Description: "You have it already.", Headers: []string{"ETag"}}

// Empty values of the types that several capabilities answer with.
var (
	ReviewAnswer   = exporters.ReviewView{}
	CitationAnswer = exporters.CitationAnswer{}
)

// NoFields is a body that must be empty or {}.
var NoFields = FixedSchema(&openapi.Schema{
	Type: openapi.Types{"object"}, Description: "Nothing, or {}.", Additional: false,
})

// SchemaFunc makes a schema that does not follow from a Go type.
type SchemaFunc func(*openapi.Schemas) *openapi.Schema

// PageOf describes an answer with one page of a list.
func PageOf(name string, row any) Answer {
	return Answer{Status: "200", Description: "One page.", Body: SchemaFunc(func(s *openapi.Schemas) *openapi.Schema {
		page := RowsOf(name, row)(s)
		page.Properties.Set("next", openapi.OrNull(openapi.String("after of the next page; null on the last one.")))
		page.Required = append(page.Required, "next")
		return page
	}), Headers: []string{"Link"}}
}

// RowsOf describes an object with a list.
func RowsOf(name string, row any) SchemaFunc {
	return func(s *openapi.Schemas) *openapi.Schema {
		return openapi.Object(openapi.Named[*openapi.Schema]{Name: name, Value: openapi.List(s.Sent(row))})
	}
}

// OfAnyFormat describes an import's body.
func OfAnyFormat(s *openapi.Schemas) *openapi.Schema {
	return s.Add("SessionImportInput", &openapi.Schema{AnyOf: []*openapi.Schema{
		s.Read(importers.SessionFile()),
		{Type: openapi.Types{"object"}, Description: "Another format; it is detected."},
		{Type: openapi.Types{"array"}, Items: &openapi.Schema{}, Description: "Rows of another format."},
	}})
}

// FixedSchema is a SchemaFunc that returns schema itself.
func FixedSchema(schema *openapi.Schema) SchemaFunc {
	return func(*openapi.Schemas) *openapi.Schema { return schema }
}

// ListByState is ListQuery for a list that can be filtered by state; that parameter comes first.
func ListByState[T ~string](description string, states []T, own ...*openapi.Parameter) []*openapi.Parameter {
	return ListQuery(append([]*openapi.Parameter{ChoiceOf("state", description, states...)}, own...)...)
}

// ListQuery adds the parameters that every list takes to own.
func ListQuery(own ...*openapi.Parameter) []*openapi.Parameter {
	return append(own,
		&openapi.Parameter{
			Name: "limit", In: "query", Description: "50 by default.",
			Schema: openapi.Between(1, MaxListLimit, ""),
		},
		TextOf("after", "The next of the previous page."))
}

func TextOf(name, description string) *openapi.Parameter {
	return &openapi.Parameter{Name: name, In: "query", Description: description, Schema: openapi.String("")}
}

// NumberOf is a whole number from least to most.
func NumberOf(name, description string, least, most int) *openapi.Parameter {
	return &openapi.Parameter{Name: name, In: "query", Description: description, Schema: openapi.Between(least, most, "")}
}

func FlagOf(name, description string) *openapi.Parameter {
	return &openapi.Parameter{Name: name, In: "query", Description: description, Schema: openapi.Boolean("")}
}

func ChoiceOf[T ~string](name, description string, words ...T) *openapi.Parameter {
	return &openapi.Parameter{Name: name, In: "query", Description: description, Schema: openapi.Choice(words, "")}
}

// SessionExample is a small session.
var SessionExample = map[string]any{
	"format": "sanad.session/v1",
	"session": map[string]any{
		"title": "Leave", "query": "How many days?",
		"answer": "Employees are entitled to 15 days of annual leave.",
	},
	"documents": []any{map[string]any{
		"id": "hr", "filename": "HR.pdf",
		"text": "All permanent employees shall receive 15 days of paid annual leave.",
	}},
}

// Parameters describes the filters of a list of the API.
func Parameters[Q any](list filter.List[Q]) []*openapi.Parameter {
	out := make([]*openapi.Parameter, len(list))
	for i, f := range list {
		if f.Kind == filter.Choice {
			out[i] = ChoiceOf(f.Name, f.About, f.Values...)
		} else {
			out[i] = TextOf(f.Name, f.About)
		}
	}
	return out
}
