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
	return networksOf("--webhook-allow", f.allow)
}

// networksOf reads the networks that a flag has.
func networksOf(flag string, texts []string) (out []netip.Prefix, err error) {
	for _, text := range texts {
		n, err := webhooks.ParseNetwork(text)
		if err != nil {
			return nil, fmt.Errorf("%s %q: %w", flag, text, err)
		}
		out = append(out, n)
	}
	return out, nil
}

// modelAllow allows judges over the network to be at addresses that are not public (rule SEC-27).
type modelAllow struct{ allow []string }

func (f *modelAllow) add(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.allow, "model-allow", nil,
		"network that models' endpoints may be in although it is not public, also without TLS, as 10.1.0.0/16 (repeat it, "+
			"or separate by commas)")
}

// networks reads the flag.
func (f *modelAllow) networks() (out []netip.Prefix, err error) {
	return networksOf("--model-allow", f.allow)
}

// newDeliverer returns the sender of webhooks.
func newDeliverer(store *db.Store, allow []netip.Prefix, log *slog.Logger) *webhooks.Deliverer {
	return webhooks.New(webhooks.Options{Store: store, Log: log, Now: store.Now, Jitter: rand.Float64, Allow: allow})
}
