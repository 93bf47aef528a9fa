package weights_test

import (
	"flag"
	"sync"

	"sanad/internal/app"
	"sanad/internal/reader/weights"
)

// This is the one package whose tests run the shipped weights, because reading takes its time
// (TestShippedWeightsRunInOnePackage in cmd/web). What is stored of their verdicts is written again by its -update.

var update = flag.Bool("update", false, "write again what the shipped judge says, in files and pages: docs/changing.md")

// shipped is the embedded judge as it is released.
var shipped = sync.OnceValue(func() *app.Embedded { return app.NewEmbedded(weights.File) })
