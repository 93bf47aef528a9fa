// Package sariftest checks reports in tests by the schema of SARIF 2.1.0.
package sariftest

import (
	"bytes"
	_ "embed"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

//go:embed testdata/sarif-2.1.0/schema.json
var schemaOfSARIF []byte

// Valid fails unless the data is valid by the schema, formats too.
func Valid(t testing.TB, data []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaOfSARIF))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("sarif.json", doc))
	schema, err := c.Compile("sarif.json")
	require.NoError(t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(value))
	log, is := value.(map[string]any)
	require.True(t, is)
	log["surplus"] = true
	require.Error(t, schema.Validate(log), "the schema checks something")
}
