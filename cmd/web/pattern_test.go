package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/pattern"
)

// Patterns are compiled when they are first used, so that a faulty one would be seen only then.
func TestEveryPatternIsFaultless(t *testing.T) {
	require.NoError(t, pattern.Check())
}
