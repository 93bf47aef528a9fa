package ui

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStrengthOfABadge(t *testing.T) {
	for confidence, band := range map[float64]int{
		1: 5, 0.85: 5, 0.849: 4, 0.70: 4, 0.69: 3, 0.5: 3, 0.49: 2, 0.3: 2, 0.29: 1, 0: 1,
	} {
		require.Equal(t, band, strength(confidence), confidence)
	}
}
