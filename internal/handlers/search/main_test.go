package search_test

import (
	"testing"

	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m, handlers.Endpoints) }
