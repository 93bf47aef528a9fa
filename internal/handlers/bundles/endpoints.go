package bundles

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/domain/bundle"
	"sanad/internal/domain/erasure"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/openapi"
)

// Endpoints returns the endpoints of evidence bundles and the lake.
func Endpoints(core *web.Server) []web.Endpoint {
	s := &server{Server: core}
	return append(s.pages(), s.api()...)
}

// pages are the pages and forms.
func (s *server) pages() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/bundles", Action: access.ReadBundle, Handle: s.listBundles},
		{Method: http.MethodGet, Path: "/bundles/:id", Action: access.ReadBundle, Erasable: erasure.Bundle,
			Handle: s.showBundle},
		{Method: http.MethodGet, Path: "/bundles/:id/artifact", Work: limits.LakeRead, Action: access.CopyFile,
			Erasable: erasure.Bundle, Handle: s.downloadBundle},
		{Method: http.MethodGet, Path: "/bundles/:id/replay", Work: limits.LakeRead, Action: access.ReadBundle,
			Erasable: erasure.Bundle, Handle: s.showReplay},
	}
}

// api are the calls of the API.
func (s *server) api() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/api/v1/bundles", Action: access.ReadBundle,
			Doc: &apidoc.Doc{
				ID: "listBundles", Tag: "bundles", Summary: "List evidence bundles", Description: "Newest first.",
				Query: apidoc.ListQuery(
					apidoc.TextOf("run_id", "Given to this run."), apidoc.TextOf("evidence_id", "With this item."),
					apidoc.TextOf("content_sha256", "With an item of this content."),
				),
				Answers: []apidoc.Answer{apidoc.PageOf("bundles", apiBundleRow{})},
			},
			Handle: s.apiListBundles,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/bundles", Work: limits.LakeRead, Action: access.BuildBundle,
			Doc: &apidoc.Doc{
				ID: "buildBundle", Tag: "bundles", Summary: "Build an evidence bundle",
				Description: "Bounded, redacted, and the same for the same input. The artifact lists what could not " +
					"be read or did not fit.",
				Reads: apidoc.SchemaFunc(bundleInput),
				Answers: []apidoc.Answer{
					{
						Status: "201", Description: "The artifact.", Body: bundle.Bundle{},
						Headers: []string{"Location"},
					},
					{
						Status: "200", Description: "The same bundle exists: its artifact as it was first built.",
						Body: bundle.Bundle{}, Headers: []string{"Location"},
					},
				},
			},
			Idempotent: s.apiCreateBundle,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/bundles/:id", Action: access.ReadBundle,
			Erasable: erasure.Bundle,
			Doc: &apidoc.Doc{
				ID: "showBundle", Tag: "bundles", Summary: "Read an evidence bundle",
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The artifact, byte for byte.", Body: bundle.Bundle{},
					Headers: []string{"ETag", "Content-Location"},
				}},
			},
			Handle: s.apiShowBundle,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/bundles/:id/replay", Work: limits.LakeRead, Action: access.ReadBundle,
			Erasable: erasure.Bundle,
			Doc: &apidoc.Doc{
				ID: "replayBundle", Tag: "bundles", Summary: "Build a bundle again and compare",
				Description: "By the build_version and the policy that it names, from what its record and the lake keep: " +
					"artifacts are loaded again, texts that came with the request are those of the record. The text of an " +
					"item that was dropped is not kept (not_kept). Nothing is stored.",
				Answers:   []apidoc.Answer{{Status: "200", Description: "What is equal and what differs.", Body: bundle.Comparison{}}},
				Conflicts: true,
			},
			Handle: s.apiReplay,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/bundles/:id/replay", Work: limits.LakeRead, Action: access.ReadBundle,
			Erasable: erasure.Bundle,
			Doc: &apidoc.Doc{
				ID: "replayBundleFrom", Tag: "bundles", Summary: "Build a bundle again from its request and compare",
				Description: "The request's policy is that of the bundle, whatever is sent. Nothing is stored.",
				Reads:       apidoc.SchemaFunc(bundleInput),
				Answers:     []apidoc.Answer{{Status: "200", Description: "What is equal and what differs.", Body: bundle.Comparison{}}},
				Conflicts:   true,
			},
			Handle: s.apiReplayRequest,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/bundles/:id/runs", Action: access.ReadBundle,
			Erasable: erasure.Bundle,
			Doc: &apidoc.Doc{
				ID: "listBundleRuns", Tag: "bundles", Summary: "List the runs that were given a bundle",
				Description: "The newest 100 of them, newest first: judge runs with their session, and ids of runs that " +
					"callers gave. total says how many there are.",
				Answers: []apidoc.Answer{{Status: "200", Description: "The runs.", Body: apiLinkedRuns{}}},
			},
			Handle: s.apiBundleRuns,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/bundles/:id/runs", Action: access.BuildBundle,
			Erasable: erasure.Bundle,
			Doc: &apidoc.Doc{
				ID: "linkRun", Tag: "bundles", Summary: "Record that a run was given a bundle", Reads: runInput{},
				Answers: []apidoc.Answer{
					{Status: "201", Description: "It is recorded.", Body: apiRun{}},
					{Status: "200", Description: "It was recorded before.", Body: apiRun{}},
				},
			},
			Idempotent: web.WithBody(s.apiLinkRun),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/lake/*", Work: limits.LakeRead, Action: access.CopyFile,
			Erasable: erasure.Artifact,
			Doc: &apidoc.Doc{
				ID: "readArtifact", Tag: "bundles", Summary: "Read an artifact of the lake", Path: lakePaths,
				Answers: []apidoc.Answer{{
					Status: "200", Description: "Its bytes.", Body: apidoc.AnyBytes{},
					Headers: []string{"Content-Disposition"},
				}},
			},
			Handle: s.apiGetArtifact,
		},
		{
			Method: http.MethodPut, Path: "/api/v1/lake/*", Work: limits.LakeWrite, Action: access.WriteLake,
			Doc: &apidoc.Doc{
				ID: "writeArtifact", Tag: "bundles", Summary: "Write an artifact into the lake, once",
				Description: "At most 64 MiB of any type, and not below `evidence/`. Other bytes under the same " +
					"path are refused (409).",
				Path: lakePaths, Reads: apidoc.AnyBytes{}, Conflicts: true,
				Answers: []apidoc.Answer{
					{
						Status: "201", Description: "It is written.", Body: apiArtifact{},
						Headers: []string{"Location"},
					},
					{Status: "200", Description: "The same bytes were there.", Body: apiArtifact{}},
				},
			},
			Handle: s.apiPutArtifact,
		},
	}
}

var lakePaths = map[string]*openapi.Schema{"path": openapi.String("Relative, with `/` between its parts.")}

// bundleInput is read leniently below job_input and evidence_refs: what is damaged there is recorded on the bundle.
func bundleInput(s *openapi.Schemas) *openapi.Schema {
	free := func(words string) *openapi.Schema {
		return &openapi.Schema{Type: openapi.Types{"object"}, Description: words}
	}
	input := openapi.Object(
		openapi.Named[*openapi.Schema]{Name: "job_input",
			Value: free("extra_params.evidence is a list of {text, source_uri}.")},
		openapi.Named[*openapi.Schema]{Name: "evidence_refs",
			Value: free("lake_text, lake_http, sql_results, sql_query_defs, documents, transcripts.")},
		openapi.Named[*openapi.Schema]{Name: "policy", Value: free("What is left out has its default.")},
		openapi.Named[*openapi.Schema]{Name: "run_id", Value: openapi.String("Of the run that is given the bundle.")},
	)
	input.Required, input.Additional = nil, false
	return s.Add("BundleInput", input)
}
