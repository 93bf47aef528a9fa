package main

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"

	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/webhooks"
)

// webhookFlags allow webhooks to go to addresses that are not public (rule SEC-10).
type webhookFlags struct{ allow []string }

func (f *webhookFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.allow, "webhook-allow", nil,
		"network that webhooks may go to although it is not public, also without TLS, as 10.1.0.0/16 (repeat it, or "+
			"separate by commas)")
}

// networks reads the flag.
func (f *webhookFlags) networks() (out []netip.Prefix, err error) {
	for _, text := range f.allow {
		n, err := webhooks.ParseNetwork(text)
		if err != nil {
			return nil, fmt.Errorf("--webhook-allow %q: %w", text, err)
		}
		out = append(out, n)
	}
	return out, nil
}

// newDeliverer returns the sender of webhooks.
func newDeliverer(store *db.Store, allow []netip.Prefix, log *slog.Logger) *webhooks.Deliverer {
	return webhooks.New(webhooks.Options{Store: store, Log: log, Now: store.Now, Jitter: rand.Float64, Allow: allow})
}
