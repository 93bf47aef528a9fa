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

// TestZoneNamed checks that a city alone names its zone, and that other names stay for the store to accept or refuse.
func TestZoneNamed(t *testing.T) {
	for typed, want := range map[string]string{"Dubai": "Asia/Dubai", " new york ": "America/New_York", "Asia/Aden": "Asia/Aden",
		"UTC": "UTC", "Atlantis": "Atlantis", "": ""} {
		require.Equal(t, want, ZoneNamed(typed))
	}
}
