-- How far the import of a content has come.
select lines, finished
from import_progress
where fingerprint = @fingerprint
