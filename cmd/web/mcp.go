package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sanad/internal/mcp"
)

func newMCP(streams streams) *cobra.Command {
	var server, tokenFile string
	cmd := &cobra.Command{
		Use: "mcp", Short: "Serve Sanad to an agent over standard input and output (MCP)", Args: cobra.NoArgs,
		Long: "mcp is a Model Context Protocol server for the agent that starts it: it speaks over standard input and\n" +
			"output and calls the API of --server with the token in --token-file. What a tool may do is what the\n" +
			"token may do. A running server has the same tools at its address /mcp (docs/mcp.md).",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if tokenFile == "" {
				return errors.New("--token-file is required: the file with a token of sanad token add")
			}
			token, err := readToken(tokenFile)
			if err != nil {
				return failure{fmt.Errorf("--token-file: %w", err)}
			}
			o, err := mcp.Remote(server, token)
			if err != nil {
				return fmt.Errorf("--server: %w", err)
			}
			o.Version = version()
			err = mcp.New(o).Run(cmd.Context(), mcp.Lines(streams.in, streams.out))
			if cmd.Context().Err() != nil {
				err = nil // told to stop
			}
			return asFailure(err)
		},
	}
	cmd.Flags().StringVar(&server, "server", "http://127.0.0.1:8080", "address of the Sanad server; https, or http "+
		"on this machine")
	cmd.Flags().StringVar(&tokenFile, "token-file", "", "file with the API token (required)")
	return cmd
}

// maxTokenFile is what a file with a token may have, in bytes.
const maxTokenFile = 4 << 10

// readToken reads a token; no error repeats it.
func readToken(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(f, maxTokenFile+1))
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	switch {
	case token == "":
		return "", fmt.Errorf("%s is empty", file)
	case len(data) > maxTokenFile || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", fmt.Errorf("%s holds something else than one token", file)
	}
	return token, nil
}
