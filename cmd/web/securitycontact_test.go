package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecurityContact(t *testing.T) {
	for _, good := range []string{"mailto:security@sanad.example", "https://sanad.example/report", "tel:+97140000000"} {
		require.NoError(t, (&contactFlag{uris: []string{good}}).check(), good)
	}
	for _, bad := range []string{"", "security@sanad.example", "mailto:", "mailto:nobody", "http://sanad.example",
		"https:///x", "javascript:alert(1)", "mailto:a@b.example\nExpires: never", "https://sanad.example/a b"} {
		require.ErrorContains(t, (&contactFlag{uris: []string{bad}}).check(), "--security-contact must be a URI", "%q", bad)
	}
	require.NoError(t, (&contactFlag{}).check())
}
