package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
)

func TestNewAuthorizer(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(key, []byte("hush\n"), 0o600))
	empty := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(empty, []byte("\n"), 0o600))
	const store = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	for _, c := range []struct {
		name      string
		flags     openfgaFlags
		err, warn string
	}{
		{name: "roles alone", flags: openfgaFlags{}},
		{name: "on this machine", flags: openfgaFlags{url: "http://127.0.0.1:1", store: store, tokenFile: key}},
		{name: "by TLS", flags: openfgaFlags{url: "https://fga.test", store: store, tokenFile: key}},
		{
			name:  "in the open",
			flags: openfgaFlags{url: "http://fga.test:8080", store: store, tokenFile: key}, warn: "plain HTTP",
		},
		{name: "no store", flags: openfgaFlags{url: "https://fga.test", tokenFile: key}, err: "store"},
		{name: "no address", flags: openfgaFlags{store: store, tokenFile: key}, err: "--openfga-url is needed"},
		{
			name:  "no such file",
			flags: openfgaFlags{url: "https://fga.test", store: store, tokenFile: key + "x"},
			err:   "no such file",
		},
		{
			name:  "an empty file",
			flags: openfgaFlags{url: "https://fga.test", store: store, tokenFile: empty}, err: "is empty",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var lines bytes.Buffer
			p, err := newAuthorizer(c.flags, slog.New(slog.NewTextHandler(&lines, nil)))
			require.NotContains(t, lines.String(), "hush")
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.warn != "", strings.Contains(lines.String(), "plain HTTP"), lines.String())
			require.NotNil(t, p.follow)
			_, builtIn := p.authorizer.(access.ByRole)
			require.Equal(t, c.flags.url == "", builtIn)
			require.Equal(t, !builtIn, p.changed != nil)
		})
	}
}

// OpenFGA is sent the key from the file, and an unreachable server means that the action is denied.
func TestNewAuthorizerAsks(t *testing.T) {
	got := ""
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		_, _ = io.WriteString(w, `{"allowed":true}`)
	}))
	key := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(key, []byte("hush\n"), 0o600))
	f := openfgaFlags{url: srv.URL, store: "01ARZ3NDEKTSV4RRFFQ69G5FAV", tokenFile: key}
	p, err := newAuthorizer(f, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	who := access.Actor{Tenant: newID(), ID: newID(), Role: access.Viewer}
	may, err := p.authorizer.Allowed(context.Background(), who, access.ReadLedger, access.Object{})
	require.NoError(t, err)
	require.True(t, may)
	require.Equal(t, "Bearer hush", got)
	srv.Close()
	may, err = p.authorizer.Allowed(context.Background(), who, access.ReadLedger, access.Object{})
	require.Error(t, err)
	require.False(t, may)
}
