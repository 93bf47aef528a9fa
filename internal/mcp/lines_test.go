package mcp

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/require"
)

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// The end of the input is told after the calls before it are answered, or too late.
func TestEndOfLines(t *testing.T) {
	for name, wait := range map[string]time.Duration{"answered": time.Hour, "late": 50 * time.Millisecond} {
		var out bytes.Buffer
		conn, err := (&lines{in: strings.NewReader(ping), out: &out, drain: wait}).Connect(t.Context())
		require.NoError(t, err)
		msg, err := conn.Read(t.Context())
		require.NoError(t, err, name)
		ended := make(chan error, 1)
		go func() {
			_, err := conn.Read(t.Context())
			ended <- err
		}()
		if name == "answered" {
			require.Empty(t, ended)
			require.NoError(t, conn.Write(t.Context(), &jsonrpc.Response{ID: msg.(*jsonrpc.Request).ID, Result: []byte(`{}`)}))
		}
		require.ErrorIs(t, <-ended, io.EOF, name)
		require.NoError(t, conn.Close())
	}
}

// A line that is too long is skipped as a whole.
func TestLongLines(t *testing.T) {
	var out bytes.Buffer
	conn, err := Lines(strings.NewReader(`{"x":"`+strings.Repeat("x", maxLine+9)+"\"}\n"+ping+"\n"), &out).Connect(t.Context())
	require.NoError(t, err)
	msg, err := conn.Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, "ping", msg.(*jsonrpc.Request).Method)
	require.Equal(t, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the message is longer than 16 MiB"}}`+"\n", out.String())
	require.NoError(t, conn.Close())
}
