package main

import (
	"errors"

	"github.com/spf13/cobra"
)

// rateFlags limit how often an account may ask, and how many wrong passwords an address may send (rule SEC-3).
type rateFlags struct {
	perSecond float64
	burst     int

	loginPerMinute int
	loginBurst     int
}

func (f *rateFlags) add(cmd *cobra.Command) {
	cmd.Flags().Float64Var(&f.perSecond, "rate-limit", 100,
		"requests per second that an account may make in the long run, by all its tokens and logins; 0 for no limit")
	cmd.Flags().IntVar(&f.burst, "rate-burst", 500, "requests that an account may make in one burst")
	cmd.Flags().IntVar(&f.loginPerMinute, "login-rate", 30,
		"wrong passwords per minute that one address (IPv6: /64) may send in the long run; 0 for no limit")
	cmd.Flags().IntVar(&f.loginBurst, "login-burst", 50, "wrong passwords that one address may send in one burst")
}

// check refuses values that are no valid limit.
func (f *rateFlags) check() error {
	if !(f.perSecond >= 0 && f.perSecond <= 1e6) || f.perSecond > 0 && f.burst < 1 {
		return errors.New("--rate-limit must be 0 to 1000000 requests a second, and --rate-burst at least 1")
	}
	if f.loginPerMinute < 0 || f.loginPerMinute > 1e6 || f.loginPerMinute > 0 && f.loginBurst < 1 {
		return errors.New("--login-rate must be 0 to 1000000 wrong passwords a minute, and --login-burst at least 1")
	}
	return nil
}
