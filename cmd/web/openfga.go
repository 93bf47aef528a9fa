package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"sanad/internal/domain"
	"sanad/internal/openfga"
)

// newOpenFGA returns the command that prepares an OpenFGA server for serve.
func newOpenFGA(io streams) *cobra.Command {
	var f openfgaFlags
	var name string
	cmd := &cobra.Command{
		Use: "init", Args: cobra.NoArgs,
		Short: "Make a store there (or take --openfga-store), write the authorization model, print the flags for serve",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.config()
			if err != nil {
				return err
			}
			store, model, err := openfga.Init(cmd.Context(), c, name)
			if err != nil {
				return failure{fmt.Errorf("OpenFGA: %w", cause(err))}
			}
			fmt.Fprintf(io.out, "--openfga-url %s --openfga-store %s --openfga-model %s\n", c.URL, store, model)
			return nil
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&name, "name", "sanad", "name of the new store")
	return group("openfga", "Prepare an OpenFGA server that is asked who may do what", "", cmd)
}

// cause returns the underlying error, which tells an operator more than that there was no answer.
func cause(err error) error {
	var e *domain.Error
	if errors.As(err, &e) && e.Kind == domain.Unavailable && e.Err != nil {
		return e.Err
	}
	return err
}
