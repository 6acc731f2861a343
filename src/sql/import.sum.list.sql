-- The rows of a day's sums, in the order of the files.
select row
from temp.import_sum
where day = @day
order by id
