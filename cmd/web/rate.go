package main

import (
	"errors"

	"github.com/spf13/cobra"
)

// rateFlags limit how often a token may call the API.
type rateFlags struct {
	perSecond float64
	burst     int
}

func (f *rateFlags) add(cmd *cobra.Command) {
	cmd.Flags().Float64Var(&f.perSecond, "rate-limit", 100,
		"requests per second that a token may make to the API in the long run; 0 for no limit")
	cmd.Flags().IntVar(&f.burst, "rate-burst", 500, "requests that a token may make in one burst")
}

// check refuses values that are no valid limit.
func (f *rateFlags) check() error {
	if !(f.perSecond >= 0 && f.perSecond <= 1e6) || f.perSecond > 0 && f.burst < 1 {
		return errors.New("--rate-limit must be 0 to 1000000 requests a second, and --rate-burst at least 1")
	}
	return nil
}
