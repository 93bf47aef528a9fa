package main

import (
	"github.com/spf13/cobra"

	"sanad/internal/handlers"
)

func newOpenAPI(streams streams) *cobra.Command {
	return &cobra.Command{
		Use: "openapi", Short: "Print the description of the API (OpenAPI 3.1)", Args: cobra.NoArgs,
		Long: "openapi prints what GET /api/v1/openapi.json answers: every call of the API with what it takes and sends.",
		RunE: func(*cobra.Command, []string) error {
			_, err := streams.out.Write(handlers.OpenAPI())
			return asFailure(err)
		},
	}
}
