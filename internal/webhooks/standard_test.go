package webhooks_test

import (
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/webhook"
)

// The library of Standard Webhooks accepts what we send, and nothing else. It reads the machine's clock, so the
// messages are sent at that time.
func TestStandardWebhooks(t *testing.T) {
	p := newFixture(t)
	p.move(time.Since(start))
	r := receive(t, nil)
	w, secret := p.hook(r.URL)
	p.happen(1)
	p.run()
	d := p.attempted(w.ID, 1)
	got := r.all()[0]
	require.Equal(t, d.ID, got.header.Get("webhook-id"), "the id that repeats have in common")

	receiver, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	require.NoError(t, receiver.Verify(got.body, got.header))
	require.Error(t, receiver.Verify(append(got.body, ' '), got.header))
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		changed := got.header.Clone()
		changed.Set(name, "1"+changed.Get(name))
		require.Error(t, receiver.VerifyIgnoringTimestamp(got.body, changed), name)
	}
	other, err := standardwebhooks.NewWebhook(webhook.Secret(make([]byte, webhook.SecretSize)))
	require.NoError(t, err)
	require.Error(t, other.Verify(got.body, got.header))
	_, ok := verify(secret, got)
	require.True(t, ok, "our own header stands beside it")
}
