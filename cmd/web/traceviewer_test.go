package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTraceViewerAddress(t *testing.T) {
	require.NoError(t, checkTraceViewer("https://traces.example/t/{trace_id}"))
	for _, bad := range []string{"https://traces.example/", "traces/{trace_id}", "javascript:alert({trace_id})",
		"https:///{trace_id}"} {
		require.Error(t, checkTraceViewer(bad), bad)
	}
}
