package handlers

import (
	"sanad/internal/domain/pack"
	"sanad/internal/exporters"
	"sanad/internal/importers"
	"sanad/internal/openapi"
)

// unchanged answers If-None-Match.
var unchanged = Answer{Status: "304", Description: "You have it already.", Headers: []string{"ETag"}}

// What exporters send.
var (
	reviewAnswer   = exporters.ReviewView{}
	citationAnswer = exporters.CitationView{}
)

// noFields is a body that says nothing.
var noFields = bare(&openapi.Schema{Type: openapi.Types{"object"}, Description: "Nothing, or {}.", Additional: false})

// made is a schema that is no Go type's.
type made func(*openapi.Schemas) *openapi.Schema

// pageOf is an answer with one page of a list.
func pageOf(name string, row any) Answer {
	return Answer{Status: "200", Description: "One page.", Body: made(func(s *openapi.Schemas) *openapi.Schema {
		page := rowsOf(name, row)(s)
		page.Properties.Set("next", openapi.OrNull(openapi.String("after of the next page; null on the last.")))
		page.Required = append(page.Required, "next")
		return page
	}), Headers: []string{"Link"}}
}

// rowsOf is an object with a list.
func rowsOf(name string, row any) made {
	return func(s *openapi.Schemas) *openapi.Schema {
		return openapi.Object(openapi.Named[*openapi.Schema]{Name: name, Value: openapi.List(s.Sent(row))})
	}
}

// ofAnyFormat is an import's body.
func ofAnyFormat(s *openapi.Schemas) *openapi.Schema {
	return s.Add("SessionImportInput", &openapi.Schema{AnyOf: []*openapi.Schema{
		s.Read(importers.SessionFile()),
		{Type: openapi.Types{"object"}, Description: "Another format; it is detected."},
		{Type: openapi.Types{"array"}, Items: &openapi.Schema{}, Description: "Rows of another format."},
	}})
}

// bare is a body that is described by itself.
func bare(schema *openapi.Schema) made {
	return func(*openapi.Schemas) *openapi.Schema { return schema }
}

// listByState is listQuery for a list that is filtered by state: before all others.
func listByState[T ~string](description string, states []T, own ...*openapi.Parameter) []*openapi.Parameter {
	return listQuery(append(stateFilter(description, states...), own...)...)
}

// listQuery adds what every list takes to its own parameters.
func listQuery(own ...*openapi.Parameter) []*openapi.Parameter {
	return append(own,
		&openapi.Parameter{
			Name: "limit", In: "query", Description: "50 unless told.",
			Schema: openapi.Between(1, listMost, ""),
		},
		textOf("after", "next of the page before."))
}

func textOf(name, description string) *openapi.Parameter {
	return &openapi.Parameter{Name: name, In: "query", Description: description, Schema: openapi.String("")}
}

func flagOf(name, description string) *openapi.Parameter {
	return &openapi.Parameter{Name: name, In: "query", Description: description, Schema: openapi.Boolean("")}
}

func choiceOf[T ~string](name, description string, words ...T) *openapi.Parameter {
	return &openapi.Parameter{Name: name, In: "query", Description: description, Schema: openapi.Choice(words, "")}
}

var levels = []pack.Level{pack.Mandatory, pack.Recommended, pack.Skip}

// sessionExample is a small session.
var sessionExample = map[string]any{
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
