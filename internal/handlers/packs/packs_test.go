package packs_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

func TestPackFixture(t *testing.T) {
	require.True(t, json.Valid([]byte(webtest.DecisionOf("d", "A2"))))
}
