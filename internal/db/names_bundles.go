package db

import "sanad/internal/db/bundles"

// What callers know of package bundles by the store's name.
type (
	BuiltBundle = bundles.BuiltBundle
	bundleStore = bundles.Store
)

// What callers know of package bundles by the store's name.
var (
	ArtifactOf  = bundles.ArtifactOf
	BuildDigest = bundles.BuildDigest
)
