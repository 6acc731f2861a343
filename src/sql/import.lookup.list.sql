-- What was noted under an id, in the order of the files.
select value
from temp.import_lookup
where kind = @kind
  and id = @id
order by rowid
