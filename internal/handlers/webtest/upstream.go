package webtest

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// ImportSample imports a provider's sample and returns its address.
func (s *Server) ImportSample(t *testing.T, sample string) string {
	t.Helper()
	data, err := os.ReadFile("../../importers/testdata/" + sample)
	require.NoError(t, err)
	return "/sessions/" + Get[struct {
		ID string `json:"session_id"`
	}](t, s.Do("POST", "/api/v1/sessions", string(data)), 201).ID
}
