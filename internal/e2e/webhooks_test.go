package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/webhook"
)

// webhooks creates an endpoint with messages in every state, and a disabled one. The messages are not sent.
func (o *bureau) webhooks(t *testing.T) (told, stopped string) {
	t.Helper()
	ctx, by := context.Background(), access.AtCommandLine(o.tenant.ID)
	off, _, err := o.store.AddWebhook(ctx, by, "https://hooks.example/"+strings.Repeat("long-address-", 20),
		[]string{"pack.purged"})
	require.NoError(t, err)
	_, err = o.store.UpdateWebhook(ctx, by, off.ID, db.WebhookChange{Enabled: new(bool)}, nil)
	require.NoError(t, err)
	w, _, err := o.store.AddWebhook(ctx, by, "https://hooks.example/sanad?key=0123456789abcdef0123456789abcdef",
		webhook.Kinds)
	require.NoError(t, err)
	for _, a := range []db.Attempt{
		{State: db.DeliveryDone, Status: 204}, {State: db.DeliveryFailed, Status: 302, Reason: "redirect"},
		{State: db.DeliveryWaiting, Reason: "address", NextAt: o.now().Add(time.Minute)}, {},
	} {
		require.NoError(t, o.store.LogEvent(ctx, by,
			db.Event{Action: "pack.signed_off", Kind: "pack", ObjectID: "pack_1"}))
		due, err := o.store.DueDeliveries(ctx, o.now(), 1)
		require.NoError(t, err)
		if a.State == "" || len(due) == 0 { // after one that waits
			continue
		}
		a.No, a.Tenant, a.Webhook = due[0].No, o.tenant.ID, w.ID
		require.NoError(t, o.store.SaveAttempt(ctx, a))
	}
	return w.ID, off.ID
}
