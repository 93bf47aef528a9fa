package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// watchFlags configure monitoring. Traces need no flag: they follow the standard variables of OpenTelemetry.
type watchFlags struct {
	metricsTokenFile string
	checking         time.Duration
}

func (f *watchFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.metricsTokenFile, "metrics-token-file", "",
		"file with the bearer token that GET /metrics asks for (default: there is no /metrics)")
	cmd.Flags().DurationVar(&f.checking, "check-per-minute", time.Second,
		"how much of each minute goes into checking that all logs and all content are as they were recorded; 0 for no check")
}

// shortestMetricsToken keeps a guessable token from opening the metrics to everybody who can reach the server.
const shortestMetricsToken = 16

// metricsToken reads the token; it is "" if no file is named.
func (f *watchFlags) metricsToken() (string, error) {
	const flag = "--metrics-token-file"
	token, err := secretFile(flag, f.metricsTokenFile)
	if err == nil && token != "" && len(token) < shortestMetricsToken {
		err = failure{fmt.Errorf("%s %s: the token must have at least %d characters", flag, f.metricsTokenFile,
			shortestMetricsToken)}
	}
	return token, err
}

// secretFile reads a secret from a file, without the trailing line break; it is "" if no file is named.
func secretFile(flag, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", failure{fmt.Errorf("%s: %w", flag, err)}
	}
	secret := strings.TrimSpace(string(data))
	if secret == "" {
		return "", failure{fmt.Errorf("%s %s is empty", flag, name)}
	}
	return secret, nil
}
