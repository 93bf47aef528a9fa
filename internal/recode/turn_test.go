package recode

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTables turns what pandas writes of a table into its rows, and leaves other objects as they are.
func TestTables(t *testing.T) {
	const rows = `[{"q":"كم؟","c":["a","b"],"a":"30"},{"q":"Who?","c":["c"]}]`
	for name, in := range map[string]string{
		"columns":        `{"q":{"0":"كم؟","1":"Who?"},"c":{"0":["a","b"],"1":["c"]},"a":{"0":"30","1":null}}`,
		"named rows":     `{"q":{"x7":"كم؟","x9":"Who?"},"c":{"x7":["a","b"],"x9":["c"]},"a":{"x7":"30","x9":null}}`,
		"lists":          `{"q":["كم؟","Who?"],"c":[["a","b"],["c"]],"a":["30",null]}`,
		"split":          `{"columns":["q","c","a"],"index":[0,1],"data":[["كم؟",["a","b"],"30"],["Who?",["c"],null]]}`,
		"index":          `{"0":{"q":"كم؟","c":["a","b"],"a":"30"},"1":{"q":"Who?","c":["c"]}}`,
		"schema":         `{"schema":{"fields":[{"name":"q"}],"primaryKey":["i"]},"data":[{"q":"كم؟","c":["a","b"],"a":"30"},{"q":"Who?","c":["c"]}]}`,
		"with a mark":    "\ufeff" + `{"q":["كم؟","Who?"],"c":[["a","b"],["c"]],"a":["30",null]}`,
		"a CSV":          "q;c;a\n" + `كم؟;['a', 'b'];30` + "\n" + `Who?;['c'];` + "\n",
		"with its index": "\tq\tc\ta\n0\tكم؟\t['a', 'b']\t30\n1\tWho?\t['c']\t\n",
	} {
		got, err := JSON(in)
		require.NoError(t, err, name)
		require.Equal(t, rows, got, name)
	}
	for _, in := range []string{
		`{"info":{"a":"1"},"data":{"b":"2"},"x":{"c":"3"}}`, `{"a":["1"],"b":["1","2"],"c":["1"]}`, `{"a":["1"],"b":["2"]}`,
		`{"columns":["a"],"index":[0],"data":[[1,2]]}`, `{"a":{"0":"x"},"b":{"0":"y"},"c":"z"}`, `{"a":["1"],"b":["2"],"c":["3"]`,
		`{"0":{"a":1},"1":"b"}`, `{}`, `[]`, `{"a":{}}`,
	} {
		got, err := JSON(in)
		require.NoError(t, err, in)
		require.Equal(t, in, got)
	}
}

// TestColumnsOfOneName tells the columns of a CSV apart that have one name, as pandas does.
func TestColumnsOfOneName(t *testing.T) {
	got, err := JSON("q,Score,q,Score\na,1,b,2\n")
	require.NoError(t, err)
	require.Equal(t, `[{"q":"a","Score":"1","q.1":"b","Score.1":"2"}]`, got)
	got, err = JSON("a,a,a.1,a\n1,2,3,4\n")
	require.NoError(t, err)
	require.Equal(t, `[{"a":"1","a.2":"2","a.1":"3","a.3":"4"}]`, got)
}

// TestMissingCells leaves out what is missing, but no cell with a name that only looks like it.
func TestMissingCells(t *testing.T) {
	got, err := JSON("a,b,c\nnan,NaN,Nan\n")
	require.NoError(t, err)
	require.Equal(t, `[{"c":"Nan"}]`, got)
}

// TestPlaces says at which line an input cannot be read.
func TestPlaces(t *testing.T) {
	for in, line := range map[string]string{
		"a,b\n1,2\n3,caf\xe9\n":                          "Line 3",
		"a,b\n\x00,\ufffd\n3,caf\xe9\n":                  "Line 3",
		"\xff\xfe{\x00\n\x00\"\x00\x00\xd8\"\x00}\x00":   "Line 2",
		"\xfe\xff\x00{\x00\n\x00\n\x00}\x00":             "Line 3",
		"data: {\"a\":1}\n\ndata: {\"a\":\n\n":           "Line 3",
		"a,b\n1,2\n1,2,3\n":                              "Line 3",
		"event: x\rdata: {\"a\":1}\r\rdata: {\"a\":\r\r": "Line 4",
	} {
		_, err := JSON(in)
		require.ErrorContains(t, err, line, in)
	}
}

// TestEventStreams reads streams with each kind of line end, and with a mark. A last event that was cut off is no
// event.
func TestEventStreams(t *testing.T) {
	const said = "event: x\ndata: {\"a\":1}\n\n: ping\n\ndata: {\"a\":\ndata: 2}\n\n"
	const stream = said + "data: [DONE]\n\n"
	for _, in := range []string{stream, "\ufeff" + stream, strings.ReplaceAll(stream, "\n", "\r\n"),
		strings.ReplaceAll(stream, "\n", "\r")} {
		got, err := JSON(in)
		require.NoError(t, err)
		require.Equal(t, `{"events":[{"a":1},{"a":2},{"[DONE]":true}]}`, got)
	}
	for _, in := range []string{said, strings.TrimSuffix(said, "\n\n"), said + "data: {\"a\":[3,", said + "data: {\"a\n"} {
		got, err := JSON(in)
		require.NoError(t, err)
		require.Equal(t, `{"events":[{"a":1},{"a":2}]}`, got)
	}
	_, err := JSON(said + "data: {\"a\":3]")
	require.ErrorContains(t, err, "Line 9")
}
