package handlers

import (
	"sanad/internal/domain/bundle"
	"sanad/internal/openapi"
)

// bundleOperations are those of evidence bundles and of the lake.
var bundleOperations = map[string]*operation{
	"GET /api/v1/bundles": {
		id: "listBundles", tag: "bundles", summary: "List evidence bundles", about: "The newest first.",
		query: listQuery(textOf("run_id", "Given to this run."), textOf("evidence_id", "With this item."), textOf("content_sha256", "With an item of this content.")),
		sends: []answers{pageOf("bundles", apiBundleRow{})},
	},
	"POST /api/v1/bundles": {
		id: "buildBundle", tag: "bundles", summary: "Build an evidence bundle", keyed: true, read: made(bundleInput),
		about: "Bounded, redacted, and the same for the same input. What could not be read or did not fit is told in the artifact.",
		sends: []answers{
			{status: "201", words: "The artifact.", sent: bundle.Bundle{}, headers: []string{"Location"}},
			{status: "200", words: "The same bundle is there: its artifact as it was made first.", sent: bundle.Bundle{}, headers: []string{"Location"}},
		},
	},
	"GET /api/v1/bundles/:id": {
		id: "showBundle", tag: "bundles", summary: "Read an evidence bundle",
		sends: []answers{{status: "200", words: "The artifact, byte for byte.", sent: bundle.Bundle{}, headers: []string{"ETag"}}},
	},
	"POST /api/v1/bundles/:id/runs": {
		id: "linkRun", tag: "bundles", summary: "Record that a run was given a bundle", keyed: true, read: runInput{},
		sends: []answers{
			{status: "201", words: "It is recorded.", sent: apiRun{}},
			{status: "200", words: "It was known.", sent: apiRun{}},
		},
	},
	"GET /api/v1/lake/*": {
		id: "readArtifact", tag: "bundles", summary: "Read an artifact of the lake", path: lakePaths,
		sends: []answers{{status: "200", words: "Its bytes.", sent: anyBytes{}, headers: []string{"Content-Disposition"}}},
	},
	"PUT /api/v1/lake/*": {
		id: "writeArtifact", tag: "bundles", summary: "Write an artifact into the lake, once", path: lakePaths, read: anyBytes{}, states: true,
		about: "At most 64 MiB of any type, and not below `evidence/`. Other bytes under the same path are refused (409).",
		sends: []answers{
			{status: "201", words: "It is written.", sent: apiArtifact{}, headers: []string{"Location"}},
			{status: "200", words: "The same bytes were there.", sent: apiArtifact{}},
		},
	},
}

var lakePaths = map[string]*openapi.Schema{"path": openapi.String("Relative, with `/` between its parts.")}

// bundleInput is read leniently below job_input and evidence_refs: what is damaged there is recorded on the bundle.
func bundleInput(s *openapi.Schemas) *openapi.Schema {
	free := func(words string) *openapi.Schema {
		return &openapi.Schema{Type: openapi.Types{"object"}, Description: words}
	}
	input := openapi.Object(
		openapi.Named[*openapi.Schema]{Name: "job_input", Value: free("extra_params.evidence is a list of {text, source_uri}.")},
		openapi.Named[*openapi.Schema]{Name: "evidence_refs", Value: free("lake_text, lake_http, sql_results, sql_query_defs, documents, transcripts.")},
		openapi.Named[*openapi.Schema]{Name: "policy", Value: free("What is left out has its default.")},
		openapi.Named[*openapi.Schema]{Name: "run_id", Value: openapi.String("Of the run that is given the bundle.")},
	)
	input.Required, input.Additional = nil, false
	return s.Add("BundleInput", input)
}
