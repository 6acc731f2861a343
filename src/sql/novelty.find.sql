-- How many new values of a kind were added on a day.
select used
from novelty
where day = @day
  and kind = @kind
