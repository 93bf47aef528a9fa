package handlers_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
)

const officialFile = "testdata/openapi-3.1/schema.json"

// official returns the OpenAPI Initiative's schema for OpenAPI documents; formats are checked too.
func official(t *testing.T) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile(officialFile)
	require.NoError(t, err)
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	id := schema.(map[string]any)["$id"].(string)
	require.NoError(t, c.AddResource(id, schema))
	compiled, err := c.Compile(id)
	require.NoError(t, err)
	return compiled
}

// ourDescription returns the parsed openapi.json.
func ourDescription(t *testing.T) map[string]any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(handlers.OpenAPI()))
	require.NoError(t, err)
	return v.(map[string]any)
}

func TestOpenAPIIsValidByTheOfficialSchema(t *testing.T) {
	schema := official(t)
	require.NoError(t, schema.Validate(ourDescription(t)))

	broken := func(change func(map[string]any)) error {
		doc := ourDescription(t)
		change(doc)
		return schema.Validate(doc)
	}
	require.Error(t, broken(func(d map[string]any) { d["openapi"] = "3.0.3" }))
	require.Error(t, broken(func(d map[string]any) { delete(d["info"].(map[string]any), "version") }))
	require.Error(t, broken(func(d map[string]any) { d["paths"] = map[string]any{"no/slash": map[string]any{}} }))
	require.Error(t, broken(func(d map[string]any) { d["surplus"] = true }))
}

// The official schema does not check Schema Objects, so each of ours is validated by the meta-schema of JSON Schema
// 2020-12.
func TestSchemasOfOpenAPIAreJSONSchema(t *testing.T) {
	doc := ourDescription(t)
	meta, err := jsonschema.NewCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	require.NoError(t, err)
	n := 0
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, x := range v {
				if name == "schema" {
					n++
					require.NoError(t, meta.Validate(x), path)
					continue
				}
				walk(path+"/"+name, x)
			}
		case []any:
			for _, x := range v {
				walk(path, x)
			}
		}
	}
	for _, part := range []string{"paths", "webhooks"} {
		walk(part, doc[part])
	}
	for name, x := range doc["components"].(map[string]any)["schemas"].(map[string]any) {
		n++
		require.NoError(t, meta.Validate(x), name)
	}
	require.Greater(t, n, 100)
	require.Error(t, meta.Validate(map[string]any{"type": "text"}))
}
