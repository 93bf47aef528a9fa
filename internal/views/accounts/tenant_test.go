package accounts

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOfferedZonesExist checks that each time zone that is offered can be saved.
func TestOfferedZonesExist(t *testing.T) {
	require.Contains(t, commonZones, "Asia/Riyadh")
	for _, name := range commonZones {
		_, err := time.LoadLocation(name)
		require.NoError(t, err)
	}
}
