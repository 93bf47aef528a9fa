package auth_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
)

func TestIsLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true, "[::1]": true,
		"": false, "localhost.example": false, "0.0.0.0": false, "10.0.0.1": false, "::": false, "fe80::1": false,
	} {
		require.Equal(t, want, auth.IsLoopback(host), host)
	}
}
