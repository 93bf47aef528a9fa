package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/webhook"
)

// The running server sends what another process has put into the outbox, but only to networks that the operator allows.
func TestServeSendsWebhooks(t *testing.T) {
	got := make(chan http.Header, 9)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		got <- r.Header
	}))
	t.Cleanup(receiver.Close)
	for _, allow := range []string{"10.0.0.0/8", "127.0.0.1"} {
		c := atData(dbtest.Dir(t))
		store, tenant, err := c.open(context.Background())
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, store.Close()) })
		by := access.AtCommandLine(tenant.ID)
		w, _, err := store.AddWebhook(context.Background(), by, receiver.URL, []string{"pack.purged"})
		require.NoError(t, err)
		serveWith(t, nil, "--data", c.data, "--webhook-allow", allow)
		_, err = store.TestWebhook(context.Background(), by, w.ID)
		require.NoError(t, err)
		var d webhook.Delivery
		require.Eventually(t, func() bool {
			all, _, err := store.Deliveries(context.Background(), tenant.ID, w.ID, "", 1)
			require.NoError(t, err)
			d = all[0]
			return d.Attempts > 0
		}, time.Minute, 10*time.Millisecond)
		if allow == "127.0.0.1" {
			require.Equal(t, db.DeliveryDone, d.State)
			require.Equal(t, d.ID, (<-got).Get("Sanad-Delivery"))
			continue
		}
		require.Equal(t, "address", d.Reason)
		require.Empty(t, got)
	}
}

func TestWebhookAllowIsChecked(t *testing.T) {
	for _, bad := range []string{"hooks.example", "10.0.0.0/40", "*"} {
		code, _, errs := call(t, "", "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--webhook-allow", bad)
		require.Equal(t, exitUsage, code)
		require.Contains(t, errs, "--webhook-allow")
	}
}
