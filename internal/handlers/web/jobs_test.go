package web_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/job"
	"sanad/internal/handlers/web"
)

// A job of a form names the part in which its fault is as the request has it.
func TestFaultOfAForm(t *testing.T) {
	work := job.Job{Kind: job.Form, State: job.Failed, Fault: &job.Fault{Path: "files[1]", Msg: "m", Kind: "invalid"}}
	require.Equal(t, "documents[1]", web.NewJob(work).Error.Path)
	work.Kind = job.File
	require.Equal(t, "files[1]", web.NewJob(work).Error.Path)
}
